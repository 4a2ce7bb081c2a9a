"""`python -m webgym_bench.flow.engine FD`: a stand-in for the inference engine, with simulated latency.

It speaks the real engine protocol with the real client: pictures are sent once, replies carry tokens and versions, and
weights are refreshed in flight or after a sleep. Only the model is replaced by a wait.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from pathlib import Path

import anyio
import msgspec

from webgym.engine import wire
from webgym.records.base import Record
from webgym.records.prompt import pack_ids
from webgym.records.sample import PolicyVersion
from webgym.serving.parent_death import die_with_parent
from webgym_bench.flow.checkpoint import read
from webgym_bench.flow.prompts import REPLY, REPLY_TOKENS, place_in, sampled, tokens_of
from webgym_bench.rollouts.work import Work, place_of

_LENGTH = struct.Struct("!I")
_decode = msgspec.msgpack.Decoder(wire.Order).decode
STATISTICS = "inference.json"
"""File beside the checkpoints, written whenever the engine is asked for its state."""


class Statistics(Record, frozen=True, omit_defaults=False):
    """Counters since the engine started."""

    requests: int
    received: int
    """In bytes, as is `sent`."""
    sent: int


class Channel:
    """Receives orders, sends answers and counts their bytes. Single-threaded, since the model is only a wait."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.received = 0
        self.sent = 0

    async def receive(self) -> wire.Order | None:
        """Return the next order, or None once the channel is closed."""
        try:
            head = await self._reader.readexactly(_LENGTH.size)
            body = await self._reader.readexactly(_LENGTH.unpack(head)[0])
        except (asyncio.IncompleteReadError, OSError):
            return None
        self.received += len(head) + len(body)
        return _decode(body)

    def send(self, answer: wire.Answer) -> None:
        """Send an answer, without flow control: the client reads continuously, so the write buffer stays small."""
        data = wire.framed(answer)
        self.sent += len(data)
        self._writer.write(data)


class PacedEngine:
    """An engine that replies with the latency of a model. Consumes orders; waits for a free slot."""

    def __init__(self, channel: Channel, start: wire.EngineStart) -> None:
        self._channel = channel
        self._pace = read(Path(start.policy.path))
        self._statistics = Path(start.policy.path).parent / STATISTICS
        self._work = Work(self._pace.latencies)
        self._slots = anyio.Semaphore(start.settings.slots)
        self._version = start.policy.version
        self._awake = anyio.Event()
        self._awake.set()
        self._going, self._held = anyio.Event(), anyio.Event()
        """Exactly one is set: `_going` while replies are generated, `_held` while weights are exchanged."""
        self._going.set()
        self._exchanging = anyio.Lock()
        self._asked: dict[int, anyio.CancelScope] = {}
        self._requests = 0

    async def run(self) -> None:
        """Serve orders until the parent closes the connection."""
        self._send(wire.OrderReply(0, self._state()))
        async with anyio.create_task_group() as tasks:
            while (order := await self._channel.receive()) is not None:
                tasks.start_soon(self._do, order)
            tasks.cancel_scope.cancel()

    async def _do(self, order: wire.Order) -> None:
        match order:
            case wire.SampleOrder():
                await self._ask(order)
            case wire.Cancel(number=number):
                if scope := self._asked.get(number):
                    scope.cancel()
            case wire.Refresh(number=number, policy=policy):
                await self._refresh(policy)
                self._send(wire.OrderReply(number, self._state()))
            case wire.Sleep(number=number):
                self._awake = anyio.Event()
                self._send(wire.OrderReply(number, self._state()))
            case wire.Wake(number=number, policy=policy):
                await self._wake(policy)
                self._send(wire.OrderReply(number, self._state()))
            case wire.Tell(number=number):
                found = Statistics(self._requests, self._channel.received, self._channel.sent)
                self._statistics.write_bytes(msgspec.json.encode(found))
                self._send(wire.OrderReply(number, self._state()))
            case wire.EngineStart():
                raise TypeError("a second Start")

    async def _ask(self, ask: wire.SampleOrder) -> None:
        with anyio.CancelScope() as scope:
            self._asked[ask.number] = scope
            try:
                await self._awake.wait()
                async with self._slots:
                    await self._reply(ask)
            finally:
                del self._asked[ask.number]

    async def _reply(self, ask: wire.SampleOrder) -> None:
        attempt, page = place_of(place_in(ask.prompt))
        first = self._version
        await self._decide(self._work.decision_seconds(attempt, page + 1))
        ids, logprobs = sampled()
        old = REPLY_TOKENS // 2 if first != self._version else 0
        versions = pack_ids([first] * old + [self._version] * (REPLY_TOKENS - old))
        self._requests += 1
        self._send(wire.SampleReply(ask.number, tokens_of(ask.prompt), ids, logprobs, versions, REPLY, "stop"))

    async def _decide(self, seconds: float) -> None:
        """Sleep for this long, not counting weight exchanges, during which generation is paused."""
        while True:
            await self._going.wait()
            began = time.monotonic()
            with anyio.move_on_after(seconds):
                await self._held.wait()
                seconds = max(0.0, seconds - (time.monotonic() - began))
                continue
            return

    async def _refresh(self, policy: PolicyVersion) -> None:
        async with self._exchanging:
            self._going = anyio.Event()
            self._held.set()
            await anyio.sleep(self._pace.refresh)
            self._version = policy.version
            self._held = anyio.Event()
            self._going.set()

    async def _wake(self, policy: PolicyVersion | None) -> None:
        await anyio.sleep(self._pace.restart)
        self._version = policy.version if policy else self._version
        self._awake.set()

    def _state(self) -> wire.EngineState:
        return wire.EngineState(
            self._version, "", running=len(self._asked), asleep=not self._awake.is_set(), requests=self._requests
        )

    def _send(self, answer: wire.Answer) -> None:
        self._channel.send(answer)


async def _serve(descriptor: int) -> None:
    with socket.socket(fileno=descriptor) as sock:
        sock.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=sock)
        channel = Channel(reader, writer)
        start = await channel.receive()
        if not isinstance(start, wire.EngineStart):
            raise TypeError(f"{type(start).__name__} before Start")
        await PacedEngine(channel, start).run()
        writer.close()


def main() -> None:
    """Serve until the parent closes the connection."""
    die_with_parent()
    anyio.run(_serve, int(sys.argv[1]), backend_options={"use_uvloop": True})


if __name__ == "__main__":
    main()

"""The DevTools protocol over a pipe, directly from asyncio: the lower bound on the cost of driving Chromium."""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import anyio
import anyio.to_thread
import msgspec

from webgym.errors import BrowserFault, LossReason, SessionLost

CALL_SECONDS = 20.0
PIPE_BYTES = 2**20
"""Large enough for a screenshot in one read."""
_ABOVE_STANDARD = 10
"""Lowest descriptor to duplicate to, clear of the two that Chromium reads and writes."""
_CHROMIUM_READS, _CHROMIUM_WRITES = 3, 4

Params = dict[str, Any]
OnEvent = Callable[[str, Params], None]


class CdpError(Exception):
    """A call that the browser answered with an error."""


class Message(msgspec.Struct):
    """A reply to a call, or an event."""

    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: Params | None = None
    sessionId: str = ""  # noqa: N815  as it is on the wire


class Pipe(asyncio.Protocol):
    """Sends calls, and dispatches replies and events."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._listeners: dict[str, OnEvent] = {}
        self._ids = count(1)
        self._decoder = msgspec.json.Decoder(Message)
        self._encoder = msgspec.json.Encoder()
        self._out: asyncio.WriteTransport | None = None

    def attach(self, out: asyncio.WriteTransport) -> None:
        """Set the transport that calls are written to."""
        self._out = out

    def listen(self, session: str, listener: OnEvent | None) -> None:
        """Set the listener for a session's events, or remove it."""
        if listener:
            self._listeners[session] = listener
        else:
            self._listeners.pop(session, None)

    def send(self, method: str, params: Params | None = None, session: str = "") -> asyncio.Future[Message]:
        """Send a call without waiting for its reply. Calls of one session run in order."""
        if self._out is None or self._out.is_closing():
            raise SessionLost("Chromium is gone", reason=LossReason.BROWSER_DIED)
        number = next(self._ids)
        call: Params = {"id": number, "method": method, "params": params or {}}
        if session:
            call["sessionId"] = session
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._out.write(self._encoder.encode(call) + b"\0")
        return reply

    async def call(self, method: str, params: Params | None = None, session: str = "") -> Params:
        """Send a call and wait for its result."""
        return await result(self.send(method, params, session))

    def data_received(self, data: bytes) -> None:
        """Dispatch the messages received, each of which ends with a zero byte."""
        searched = len(self._buffer)
        self._buffer += data
        start = 0
        while (end := self._buffer.find(b"\0", max(start, searched))) >= 0:
            self._message(self._decoder.decode(memoryview(self._buffer)[start:end]))
            start = end + 1
        del self._buffer[:start]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  the pipe just ends
        """Fail all pending calls."""
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(SessionLost("Chromium is gone", reason=LossReason.BROWSER_DIED))
        self._waiting.clear()

    def _message(self, message: Message) -> None:
        if message.id:
            reply = self._waiting.pop(message.id, None)
            if reply and not reply.done():
                reply.set_result(message)
        elif listener := self._listeners.get(message.sessionId):
            listener(message.method, message.params)


async def result(reply: asyncio.Future[Message]) -> Params:
    """Wait for the reply to a call and return its result."""
    try:
        with anyio.fail_after(CALL_SECONDS):
            message = await reply
    except TimeoutError as error:
        raise BrowserFault("no reply from Chromium") from error
    if message.error is not None:
        raise CdpError(message.error.get("message", ""))
    return message.result


@asynccontextmanager
async def launched(executable: str, flags: Sequence[str]) -> AsyncGenerator[Pipe]:
    """Run Chromium on a temporary profile for the duration of the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [executable, *flags, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        process, incoming, outgoing = _spawn(command)
        loop = asyncio.get_running_loop()
        pipe = Pipe()
        reader, _ = await loop.connect_read_pipe(lambda: pipe, os.fdopen(incoming, "rb", 0))
        writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(outgoing, "wb", 0))
        pipe.attach(writer)
        try:
            yield pipe
        finally:
            with anyio.CancelScope(shield=True):
                writer.close()  # Chromium exits when its pipe closes
                await anyio.to_thread.run_sync(os.waitpid, process, 0)
                reader.close()


def _spawn(command: list[str]) -> tuple[int, int, int]:
    """Start Chromium. Return its process id and our read and write descriptors."""
    reads, outgoing = os.pipe()
    incoming, writes = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD) for end in (reads, writes)]
    fcntl.fcntl(incoming, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    quiet = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    moves = [(os.POSIX_SPAWN_DUP2, high[0], _CHROMIUM_READS), (os.POSIX_SPAWN_DUP2, high[1], _CHROMIUM_WRITES)]
    moves += [(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=moves)
    for end in (reads, writes, *high, quiet):
        os.close(end)
    return process, incoming, outgoing

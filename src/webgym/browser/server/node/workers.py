"""The worker processes of a node: starting them, calling them, restarting them with backoff, cleaning up after them."""

from __future__ import annotations

import itertools
import logging
import os
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import msgspec

from webgym.browser import wire
from webgym.browser.server.backoff import Backoff
from webgym.browser.server.channel import Channel, Frame, FrameHeader, WorkerChannelClosedError
from webgym.browser.server.processes import SCRATCH, remove_scratch
from webgym.errors import BrowserFault, ConfigError, WebGymError
from webgym.serving.child_process import child_process

logger = logging.getLogger(__name__)

_GRACE_SECONDS = 5.0
"""A worker that has not replied this long after a call's deadline is considered stuck and is killed."""
_READY_SECONDS = 60.0
_STOP_SECONDS = 12.0
_MODULE = "webgym.browser.server.worker"


class WorkerDiedError(Exception):
    """The worker process died before it replied."""


@dataclass
class _WorkerCall:
    answered: anyio.Event = field(default_factory=anyio.Event)
    frame: Frame | None = None


class WorkerProcess:
    """The node's handle on a running worker process."""

    def __init__(self, number: int, process: anyio.abc.Process, channel: Channel) -> None:
        self.number = number
        self.sessions = 0
        self._process = process
        self._channel = channel
        self._calls: dict[int, _WorkerCall] = {}
        self._numbers = itertools.count(1)
        self._dead = False

    @property
    def pid(self) -> int:
        return self._process.pid

    async def call(self, verb: str, session: str, payload: bytes, seconds: float) -> bytes:
        """Call the worker; raise its error, or `WorkerDiedError`. Cancelling a step cancels it in the worker too."""
        if self._dead:
            raise WorkerDiedError
        number = next(self._numbers)
        call = self._calls[number] = _WorkerCall()
        try:
            self._channel.send(Frame(FrameHeader(number, verb, session, seconds), payload))
            with anyio.move_on_after(2 * seconds + _GRACE_SECONDS):  # queueing for admission, then the step
                await call.answered.wait()
        except BaseException:
            if verb == "step" and not self._dead:
                self._channel.send(Frame(FrameHeader(0, "cancel", session)))
            raise
        finally:
            del self._calls[number]
        if not call.answered.is_set():
            logger.error("worker %d did not answer %s in time; killing it", self.number, verb)
            self.kill()
        if call.frame is None:
            raise WorkerDiedError
        if call.frame.head.verb == "error":
            raise wire.error_from(wire.decode(wire.ErrorBody, call.frame.payload))
        return call.frame.payload

    async def listen(self, notice: Callable[[WorkerProcess, Frame], None]) -> None:
        """Dispatch replies to their calls and notices to the node, until the channel closes."""
        try:
            while True:
                frame = await self._channel.receive()
                call = self._calls.get(frame.head.call)
                if frame.head.call == 0:
                    notice(self, frame)
                elif call is not None:
                    call.frame = frame
                    call.answered.set()
        except WorkerChannelClosedError:
            pass
        finally:
            self._dead = True
            self._channel.close()
            for call in self._calls.values():
                call.answered.set()

    def kill(self) -> None:
        """Send SIGKILL."""
        self._dead = True
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class WorkerPlan:
    """How many workers to start, and with what."""

    count: int
    sessions_each: int
    scratch: Path
    orders: dict[str, Any]


class WorkerPool:
    """Keeps a fixed number of workers running."""

    def __init__(
        self,
        plan: WorkerPlan,
        notice: Callable[[WorkerProcess, Frame], None],
        died: Callable[[WorkerProcess, str], None],
    ) -> None:
        self._plan = plan
        self._notice = notice
        self._died = died
        self._alive: dict[int, WorkerProcess] = {}
        self._numbers = itertools.count(1)
        self._proven = False
        """Whether any worker has ever become ready, which proves the configuration valid."""

    @property
    def alive(self) -> list[WorkerProcess]:
        """The workers that are ready for calls."""
        return list(self._alive.values())

    def get(self, number: int) -> WorkerProcess:
        """Return the worker with this number; `WorkerDiedError` if it is no longer running."""
        worker = self._alive.get(number)
        if worker is None:
            raise WorkerDiedError
        return worker

    def least_busy(self) -> WorkerProcess | None:
        """Return the worker with the fewest sessions; None if all are full."""
        with_room = [w for w in self._alive.values() if w.sessions < self._plan.sessions_each]
        return min(with_room, key=lambda w: w.sessions, default=None)

    async def run(self, changed: Callable[[], None]) -> None:
        """Keep all workers running until cancelled, then stop them.

        Raises:
            ConfigError: The configuration does not let any worker start.
        """
        async with anyio.create_task_group() as tasks:
            for slot in range(self._plan.count):
                tasks.start_soon(self._keep_alive, slot, changed)

    async def _keep_alive(self, slot: int, changed: Callable[[], None]) -> None:
        backoff = Backoff()
        while True:
            backoff.start()
            try:
                await self._run_one(changed)
            except (OSError, TimeoutError, WebGymError) as error:
                if isinstance(error, ConfigError) and not self._proven:
                    raise
                logger.error("worker in slot %d did not start: %s", slot, error)  # noqa: TRY400 - the reason is enough
            await anyio.sleep(backoff.pause())

    async def _run_one(self, changed: Callable[[], None]) -> None:
        number = next(self._numbers)
        scratch = self._plan.scratch / f"worker-{number}"
        scratch.mkdir(mode=0o700, parents=True)
        try:
            async with self._started(number, scratch) as worker:
                self._alive[number] = worker
                self._proven = True
                changed()
                await worker.listen(self._notice)
        finally:
            worker = self._alive.pop(number, None)
            changed()
            if worker is not None:
                self._died(worker, "the worker process ended")
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(remove_scratch, scratch)

    @asynccontextmanager
    async def _started(self, number: int, scratch: Path) -> AsyncGenerator[WorkerProcess]:
        environment = {**os.environ, SCRATCH: str(scratch), "TMPDIR": str(scratch)}
        async with child_process(_MODULE, 2**20, environment=environment, stop_seconds=_STOP_SECONDS) as child:
            channel = Channel(child.reader, child.writer)
            orders = msgspec.msgpack.encode({**self._plan.orders, "worker": number})
            channel.send(Frame(FrameHeader(0, "start"), orders))
            with anyio.fail_after(_READY_SECONDS):
                await self._until_ready(channel)
            # On exit the channel closes, on which the worker closes its sessions and ends.
            yield WorkerProcess(number, child.process, channel)

    async def _until_ready(self, channel: Channel) -> None:
        try:
            while (frame := await channel.receive()).head.verb != "ready":
                match frame.head.verb:
                    case "misconfigured":
                        raise ConfigError(frame.payload.decode())
                    case "failed":
                        raise BrowserFault(frame.payload.decode())
                    case _:
                        pass  # an event
        except WorkerChannelClosedError as error:
            raise OSError("it ended before it was ready; its log says why") from error

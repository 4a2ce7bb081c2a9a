"""The reference trainer in a child process, which is restarted if it dies."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio
import msgspec

from webgym.errors import TrainingError
from webgym.records.sample import TrainingResult
from webgym.serving.child_process import ChildProcess, child_process
from webgym.train.messages import (
    LONGEST,
    Answer,
    RankDeath,
    Ready,
    StepOrder,
    StepReply,
    TrainerFailure,
    TrainerStart,
    error_from,
    line,
)

logger = logging.getLogger(__name__)

T = TypeVar("T")
TRIES = 3
"""Attempts at starting, and at one step: a process that dies each time is not helped by another."""


@dataclass(frozen=True, slots=True)
class _TrainerChild:
    channel: ChildProcess
    ready: Ready


class TrainerDiedError(Exception):
    """The trainer's process ended before it answered."""


class TrainerProcess:
    """A trainer in a child process: started on first use, restarted from its last checkpoint if it dies.

    Args:
        start: Configuration of the trainer.
        ready_seconds: Timeout for loading model and checkpoint.
        step_seconds: Timeout for training on a batch.
        module: Module that the child process runs.
    """

    def __init__(
        self,
        start: TrainerStart,
        *,
        ready_seconds: float = 1800.0,
        step_seconds: float = 4 * 3600.0,
        module: str = "webgym.train",
    ) -> None:
        self._start = start
        self._ready_seconds = ready_seconds
        self._step_seconds = step_seconds
        self._module = module
        self._started: _TrainerChild | None = None
        self._stack = AsyncExitStack()
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        """Process id of the trainer, while it runs."""
        return self._started.channel.process.pid if self._started else None

    async def ready(self) -> Ready:
        """Load the model, so that problems with it surface before anything else is done.

        Raises:
            TrainingError, ConfigError: The model cannot be trained here.
        """

        async def started() -> Ready:
            return (await self._running()).ready

        try:
            return await self._persistently(started, "while it started")
        except (OSError, TimeoutError) as error:
            await self.close()
            raise TrainingError(f"the trainer failed to start: {error}") from error

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        """Train on the batch in this file; a repeated call for the same version does not train twice.

        Raises:
            TrainingError: It failed; the last checkpoint is unchanged.
        """
        order = StepOrder(str(batch), version, str(folder))
        return await self._persistently(lambda: self._asked(order), "on the same batch")

    async def close(self) -> None:
        """Stop the trainer's process, if there is one."""
        self._started = None
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    async def _persistently(self, ask: Callable[[], Awaitable[T]], when: str) -> T:
        """Ask again in a new process if the process dies before it answers."""
        died = 0
        while True:
            try:
                return await ask()
            except TrainerDiedError as error:
                await self.close()
                died += 1
                if died == TRIES:
                    raise TrainingError(
                        f"the trainer died {died} times {when} ({error}): its log above may say why"
                    ) from error
                self.restarts += 1
                logger.warning("the trainer died (%s); restarting it from its last checkpoint", error)

    async def _asked(self, order: StepOrder) -> TrainingResult:
        try:
            channel = (await self._running()).channel
            channel.writer.write(line(order))
            with anyio.fail_after(self._step_seconds):
                answer = await _answer(channel.reader)
        except (OSError, TimeoutError) as error:
            raise TrainerDiedError(str(error)) from error
        match answer:
            case StepReply(trained=trained):
                return trained
            case TrainerFailure():
                await self.close()
                raise error_from(answer)
            case RankDeath(message=message):
                raise TrainerDiedError(message)
            case Ready():
                raise TrainerDiedError("it sent an unexpected answer")

    async def _running(self) -> _TrainerChild:
        if self._started is not None:
            return self._started
        channel = await self._stack.enter_async_context(child_process(self._module, LONGEST))
        channel.writer.write(line(self._start))
        with anyio.fail_after(self._ready_seconds):
            answer = await _answer(channel.reader)
        match answer:
            case Ready():
                self._started = _TrainerChild(channel, answer)
                return self._started
            case TrainerFailure():
                await self.close()
                raise error_from(answer)
            case RankDeath(message=message):
                raise TrainerDiedError(message)
            case StepReply():
                raise TrainerDiedError("it sent an unexpected answer")


async def _answer(reader: asyncio.StreamReader) -> Answer:
    try:
        received = await reader.readuntil(b"\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as error:
        # A process that is killed with an unread message does not end the stream but resets the connection.
        raise TrainerDiedError("it hung up") from error
    return msgspec.json.decode(received, type=Answer)


@asynccontextmanager
async def open_trainer_process(
    start: TrainerStart, *, step_seconds: float = 4 * 3600.0, module: str = "webgym.train"
) -> AsyncGenerator[TrainerProcess]:
    """Open a `TrainerProcess` for the duration of the block."""
    trainer = TrainerProcess(start, step_seconds=step_seconds, module=module)
    try:
        yield trainer
    finally:
        with anyio.CancelScope(shield=True):
            await trainer.close()

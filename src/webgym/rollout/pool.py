"""A pool that runs many attempts concurrently."""

from __future__ import annotations

import collections
import heapq
import itertools
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from webgym.concurrency import background
from webgym.errors import ConfigError
from webgym.records.event import AttemptSubmitted
from webgym.records.trajectory import Attempt, Cancellation, Ending
from webgym.rollout.tally import Tally, Totals
from webgym.stages import Events

Roll = Callable[[Attempt], Awaitable[Ending]]


@dataclass(frozen=True, slots=True)
class FinishedGroup:
    """A group whose attempts have all ended."""

    attempts: tuple[Attempt, ...]
    endings: tuple[Ending, ...]
    """In the order of `attempts`."""


@dataclass(slots=True)
class _Group:
    attempts: tuple[Attempt, ...]
    endings: dict[str, Ending]


class Pool:
    """Runs attempts, each in its own task; a freed slot is refilled at once.

    Consumes: submitted groups. Waits for: a free slot, and for finished groups to be fetched (back-pressure).
    Created by `open_pool`; it runs until that block exits.
    """

    def __init__(self, roll: Roll, events: Events, *, slots: int, backlog: int) -> None:
        self._roll = roll
        self._events = events
        self._slots = slots
        self._backlog = backlog
        self._queue: list[tuple[float, int, Attempt]] = []
        self._numbers = itertools.count()
        self._groups: dict[str, _Group] = {}
        self._group_of: dict[str, str] = {}
        self._finished: collections.deque[FinishedGroup] = collections.deque()
        self._running: dict[str, anyio.CancelScope] = {}
        self._paused = False
        self._closed = False
        self._changed = anyio.Event()
        self._tally = Tally()

    @property
    def totals(self) -> Totals:
        """Counts of all attempts submitted so far, by outcome."""
        return self._tally.totals

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def slots(self) -> int:
        return self._slots

    async def submit(self, attempts: Sequence[Attempt], *, priority: float = 0.0) -> bool:
        """Submit a group of one or more attempts, to be returned together when all have ended.

        Waits while the backlog is full. Higher priority goes first, then FIFO. Returns False if the pool is closed.
        """
        if not attempts:
            raise ConfigError("a group needs at least one attempt")
        while len(self._queue) >= self._backlog and not self._closed:
            await self._change()
        if self._closed:
            return False
        names = [attempt.attempt_id for attempt in attempts]
        twice = [name for name in names if name in self._group_of] or [n for n in names if names.count(n) > 1]
        if twice:
            raise ConfigError(f"attempt {twice[0]} is already in the pool")
        key = attempts[0].attempt_id
        self._groups[key] = _Group(tuple(attempts), {})
        self._group_of.update((attempt.attempt_id, key) for attempt in attempts)
        self._tally.submitted(len(attempts))
        for attempt in attempts:
            heapq.heappush(self._queue, (-priority, next(self._numbers), attempt))
            self._events.emit(_submitted(attempt))
        self._tell()
        return True

    async def finished(self) -> AsyncIterator[FinishedGroup]:
        """Yield groups as they finish, without end. Leaving the loop loses none."""
        while True:
            while not self._finished:
                await self._change()
            group = self._finished.popleft()
            self._tell()
            yield group

    async def drain(self) -> None:
        """Wait until nothing is queued or running, and all finished groups were fetched."""
        while self._queue or self._running or self._finished:
            await self._change()

    async def down_to(self, left: int) -> None:
        """Wait until nothing is queued and at most `left` attempts are running."""
        while self._queue or len(self._running) > left:
            await self._change()

    def pause(self) -> None:
        """Start no new attempts; running ones continue."""
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._tell()

    def resize(self, slots: int) -> None:
        """Set the number of slots; running attempts beyond it are left to finish."""
        self._slots = slots
        self._tell()

    def close(self) -> list[Attempt]:
        """Accept no more attempts, and return those not yet started, which then count as never submitted."""
        self._closed = True
        taken = [attempt for _, _, attempt in sorted(self._queue)]
        self._queue.clear()
        self._tally.submitted(-len(taken))
        gone = {attempt.attempt_id for attempt in taken}
        for key in {self._group_of.pop(attempt) for attempt in gone}:
            group = self._groups[key]
            group.attempts = tuple(member for member in group.attempts if member.attempt_id not in gone)
            if not group.attempts:
                del self._groups[key]
            elif len(group.endings) == len(group.attempts):
                self._give_back(key)
        self._tell()
        return taken

    def cancel(self) -> None:
        """Cancel all running attempts; each ends as `cancelled`."""
        for scope in list(self._running.values()):
            scope.cancel()

    async def run(self) -> None:
        """Start attempts whenever a slot is free. Never returns."""
        async with anyio.create_task_group() as tasks:
            while True:
                while self._room():
                    _, _, attempt = heapq.heappop(self._queue)
                    scope = anyio.CancelScope()
                    self._running[attempt.attempt_id] = scope
                    tasks.start_soon(self._one, attempt, scope)
                    self._tell()  # the backlog has room again
                await self._change()

    def _room(self) -> bool:
        fetched = len(self._finished) <= self._backlog
        return bool(self._queue) and not self._paused and fetched and len(self._running) < self._slots

    async def _one(self, attempt: Attempt, scope: anyio.CancelScope) -> None:
        try:
            with scope:
                self._end(attempt, await self._roll(attempt))
            if scope.cancelled_caught:
                self._end(attempt, Ending(Cancellation("stopped from outside")))
        finally:
            del self._running[attempt.attempt_id]
            self._tell()

    def _end(self, attempt: Attempt, ending: Ending) -> None:
        self._tally.ended(ending.outcome)
        key = self._group_of.pop(attempt.attempt_id)
        group = self._groups[key]
        group.endings[attempt.attempt_id] = ending
        if len(group.endings) == len(group.attempts):
            self._give_back(key)

    def _give_back(self, key: str) -> None:
        group = self._groups.pop(key)
        endings = tuple(group.endings[attempt.attempt_id] for attempt in group.attempts)
        self._finished.append(FinishedGroup(group.attempts, endings))

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def _change(self) -> None:
        await self._changed.wait()


@asynccontextmanager
async def open_pool(roll: Roll, events: Events, *, slots: int, backlog: int = 1024) -> AsyncGenerator[Pool]:
    """Provide a running pool; attempts still running when the block exits are cancelled."""
    async with background() as tasks:
        pool = Pool(roll, events, slots=slots, backlog=backlog)
        tasks.start_soon(pool.run)
        yield pool


def _submitted(attempt: Attempt) -> AttemptSubmitted:
    task = attempt.task
    return AttemptSubmitted(
        attempt.attempt_id, task.task_id, task.website, task.level, task.instruction[:300], attempt.group
    )

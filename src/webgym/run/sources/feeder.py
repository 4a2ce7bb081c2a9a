"""Keeps rollouts running independently of the trainer, and hands out batches of finished groups.

The feeder starts a group whenever the pace allows it and the pool has room, and collects groups as they finish. Neither
waits for an update, so browsers and inference do not idle during one. The trainer only ever waits for a batch, in
`take`.

With `Wanted.probe`, only so many members of a group begin. The others follow if these have different rewards; if not,
the group is dropped without them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import anyio

from webgym.buffer.groups import BatchRequirements, Collector, Fate, Group, ScoredGroup
from webgym.buffer.staleness import Pace
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import FinishedGroup

_LOOK_AGAIN_SECONDS = 1.0
"""Upper bound on a wait for a change, as a safeguard: every change also wakes the waiters."""

Load = Callable[[tuple[Attempt, ...]], Awaitable[Group]]
"""Loads a group, or the part of it that has begun, whose attempts have all finished."""
Ended = Callable[[Task, Group], None]


class Rolling(Protocol):
    """Runs attempts; implemented by `rollout.pool.Pool`.

    `submit` should wait for room: a group that is submitted early is sampled from older weights.
    """

    async def submit(self, attempts: Sequence[Attempt], *, priority: float = 0.0) -> bool: ...

    def finished(self) -> AsyncIterator[FinishedGroup]: ...


@dataclass(frozen=True, slots=True)
class FedBatch:
    """The groups of a batch, and the fates of all groups settled with it."""

    groups: tuple[ScoredGroup, ...]
    """All within the staleness bound; fewer than a full batch only if the `refill` budget is used up."""
    fates: dict[str, Fate]
    """By name: the fate of each group taken or dropped since the last batch."""


class Feeder:
    """Feeds an endless stream of groups to the pool, and finished groups to the trainer.

    Args:
        pool: Runs attempts.
        groups: Endless stream of groups.
        load: Loads a finished group.
        wanted: Size and staleness bound of a batch.
        pace: How far rollouts may run ahead of the trainer.
        version: Policy version that is sampled from.
        over: Attempts that finished before a restart; they are not repeated.
    """

    def __init__(
        self,
        pool: Rolling,
        groups: Iterator[tuple[Attempt, ...]],
        load: Load,
        wanted: BatchRequirements,
        pace: Pace,
        *,
        version: int = 0,
        over: Collection[str] = (),
    ) -> None:
        self._pool = pool
        self._groups = groups
        self._load = load
        self._collector = Collector(wanted)
        self._pace = pace
        self._over = frozenset(over)
        self._running: dict[str, tuple[tuple[Attempt, ...], float]] = {}
        """By name: all attempts of the group, and when it started."""
        self._probe = wanted.probe
        self._rest: dict[str, tuple[Attempt, ...]] = {}
        """By name: the attempts of a group that have not begun."""
        self._following = deque[tuple[Attempt, ...]]()
        """Attempts that are to begin, as those before them in their group have different rewards."""
        self.learning = False
        """Whether a batch has been taken and its update is not finished."""
        self._changed = anyio.Event()
        self.version = version
        self.noticed: Callable[[], None] = _nothing
        """Called when a group, or the part of it that has begun, finishes."""
        self.ended: Ended = _unnoted
        """Called with every group that is over, and its task."""

    @property
    def running(self) -> int:
        """Number of groups in progress."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Number of finished groups that wait for a batch."""
        return self._collector.waiting

    @property
    def oldest(self) -> tuple[str, float] | None:
        """Name and age in seconds of the group that has been running longest."""
        if not self._running:
            return None
        name, (_, began) = next(iter(self._running.items()))
        return name, time.monotonic() - began

    def capacity(self) -> int:
        """Return the number of groups that may start now.

        Every version counts as one full batch, however many groups its batch had, so that neither a restart nor a short
        batch changes how far rollouts may run ahead.
        """
        accepted = self._pace.accepted_after_resume(self.version + self.learning) + self.waiting
        return self._pace.capacity(version=self.version, running=self.running, accepted=accepted)

    async def run(self) -> None:
        """Submit and collect groups until cancelled."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._feed)
            tasks.start_soon(self._fetch)

    def moved(self, version: int) -> None:
        """Move on to a new policy version after an update: drop stale groups and let new ones start."""
        self.version = version
        self.learning = False
        self._collector.expire(version)
        self._tell()

    async def take(self) -> FedBatch:
        """Wait for the next batch: until it is full, or its `refill` budget is used up."""
        self._collector.expire(self.version)
        while not (self._collector.full() or self._collector.spent):
            await self._change()
            self._collector.expire(self.version)
        groups = self._collector.take(self.version)
        self.learning = bool(groups)
        self._tell()
        return FedBatch(groups, self._collector.settle())

    async def _feed(self) -> None:
        for attempts in self._groups:
            while self._following or self.capacity() < 1:
                if not self._following:
                    await self._change()
                elif not await self._begin(self._following.popleft(), priority=1.0):
                    return
            name = attempts[0].group
            self._running[name] = (attempts, time.monotonic())
            first = self._probe or len(attempts)
            self._rest[name] = attempts[first:]
            if not await self._begin(attempts[:first]):
                return

    async def _begin(self, attempts: tuple[Attempt, ...], *, priority: float = 0.0) -> bool:
        """Submit those that are not over; return whether the pool still accepts any."""
        todo = [attempt for attempt in attempts if attempt.attempt_id not in self._over]
        if todo:
            return await self._pool.submit(todo, priority=priority)
        await self._put(attempts[0].group)
        return True

    async def _fetch(self) -> None:
        async for finished in self._pool.finished():
            await self._put(finished.attempts[0].group)

    async def _put(self, name: str) -> None:
        attempts, _ = self._running[name]
        rest = self._rest.pop(name, ())
        group = await self._load(attempts[: len(attempts) - len(rest)])
        if rest and self._collector.undecided(group):
            self._following.append(rest)
        else:
            del self._running[name]
            self._collector.put(group)
            self.ended(attempts[0].task, group)
        self.noticed()
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def _change(self) -> None:
        with anyio.move_on_after(_LOOK_AGAIN_SECONDS):
            await self._changed.wait()


def _unnoted(task: Task, group: Group) -> None:
    del task, group


def _nothing() -> None:
    """Do nothing."""

"""Keeps rollouts going, whatever the trainer does, and hands out batches of what came of them.

The feeder begins a group whenever the pace allows one and the pool has room for it, and fetches groups as they end.
Neither waits for an update, so neither browsers nor inference idle during one. The trainer waits for a batch, in
`take`, and for nothing else.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import anyio

from webgym.buffer.groups import Collector, Fate, Group, ScoredGroup, Wanted
from webgym.buffer.staleness import Pace
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import Finished

_LOOK_AGAIN_SECONDS = 1.0
"""Nothing is missed in between; a wait that nobody ends is only never longer than this."""

Load = Callable[[tuple[Attempt, ...]], Awaitable[Group]]
"""A group whose attempts are all over."""


class Rolling(Protocol):
    """Makes attempts: `rollout.pool.Pool`.

    `submit` should wait until there is room: what is begun early is sampled from old weights.
    """

    async def submit(self, attempts: Sequence[Attempt], *, priority: float = 0.0) -> bool: ...

    def finished(self) -> AsyncIterator[Finished]: ...


@dataclass(frozen=True, slots=True)
class Taken:
    """What a batch is made of, and what became of every other group meanwhile."""

    groups: tuple[ScoredGroup, ...]
    """None of them older than the bound; fewer than a batch wants only if `refill` is used up."""
    fates: dict[str, Fate]
    """By name, of groups that were taken or dropped since the last batch."""


class Feeder:
    """Between an endless stream of groups, a pool, and a trainer.

    Args:
        pool: Makes attempts.
        groups: What to attempt, for ever.
        load: Gives back what was attempted.
        wanted: What a batch is made of, and how old it may be.
        pace: How far rollouts may run ahead.
        version: Of the weights that are sampled from.
        over: Attempts that were over before a restart: they are not made again.
    """

    def __init__(
        self,
        pool: Rolling,
        groups: Iterator[tuple[Attempt, ...]],
        load: Load,
        wanted: Wanted,
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
        """By name: all attempts of the group, and when it began."""
        self.learning = False
        """Whether a batch was taken whose update is not made yet."""
        self._changed = anyio.Event()
        self.version = version
        self.noticed: Callable[[], None] = _nothing
        """Called when a group is over."""

    @property
    def running(self) -> int:
        """Groups that were begun and are not over."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Groups that wait to be learned from."""
        return self._collector.waiting

    @property
    def oldest(self) -> tuple[str, float] | None:
        """Of the groups that run: which began first, and seconds since."""
        if not self._running:
            return None
        name, (_, began) = next(iter(self._running.items()))
        return name, time.monotonic() - began

    def capacity(self) -> int:
        """Groups that may begin now.

        What a version learned from counts as one batch, however many groups that had: counted so, neither a restart nor
        a batch that stayed short changes how far rollouts may run ahead.
        """
        accepted = self._pace.accepted_after_resume(self.version + self.learning) + self.waiting
        return self._pace.capacity(version=self.version, running=self.running, accepted=accepted)

    async def run(self) -> None:
        """Feed and fetch, for ever."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._feed)
            tasks.start_soon(self._fetch)

    def moved(self, version: int) -> None:
        """These weights are sampled from now, and nothing is being learned from.

        What is too old for them is dropped, and others may begin.
        """
        self.version = version
        self.learning = False
        self._collector.expire(version)
        self._tell()

    async def take(self) -> Taken:
        """What the weights learn from next, as soon as there is enough of it, or no more may be tried for it."""
        self._collector.expire(self.version)
        while not (self._collector.full() or self._collector.spent):
            await self._change()
            self._collector.expire(self.version)
        groups = self._collector.take(self.version)
        self.learning = bool(groups)
        self._tell()
        return Taken(groups, self._collector.settle())

    async def _feed(self) -> None:
        for attempts in self._groups:
            while self.capacity() < 1:
                await self._change()
            self._running[attempts[0].group] = (attempts, time.monotonic())
            todo = [one for one in attempts if one.attempt_id not in self._over]
            if not todo:
                await self._put(attempts[0].group)
            elif not await self._pool.submit(todo):
                return

    async def _fetch(self) -> None:
        async for finished in self._pool.finished():
            await self._put(finished.attempts[0].group)

    async def _put(self, name: str) -> None:
        attempts, _ = self._running[name]
        group = await self._load(attempts)
        del self._running[name]
        self._collector.put(group)
        self.noticed()
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def _change(self) -> None:
        with anyio.move_on_after(_LOOK_AGAIN_SECONDS):
            await self._changed.wait()


def _nothing() -> None:
    """Nobody wants to know."""

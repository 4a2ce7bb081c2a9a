"""The rollouts of one iteration: as many attempts as its batch needs, those made before a restart included."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import anyio
import anyio.to_thread

from webgym.buffer.groups import Collector, Group, ScoredGroup, Wanted
from webgym.concurrency import background
from webgym.pipeline.train.curriculum import Worth, attempt_groups
from webgym.pipeline.train.pool_filter import Sift, everything
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Cancelled, Trajectory
from webgym.rollout.pool import Finished, Pool
from webgym.rollout.run_all import Completion
from webgym.train.recipe import GroupSource

Load = Callable[[str], Trajectory]
"""A finished attempt from the store. Blocks."""
Graded = Callable[[Group], Group]
"""What is done to a group before it is learned from: nothing, but for controls."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """What attempts of an iteration need."""

    pool: Pool
    tasks: Sequence[Task]
    load: Load
    over: Callable[[], frozenset[str]]
    """Attempts that are over."""
    seed: int
    worth: Worth | None = None
    """Which tasks come sooner; None: all are alike."""
    sift: Sift = everything
    """Leaves out groups that may not begin."""
    completion: Completion = Completion()
    """How long the last attempts are waited for."""

    async def groups(self, iteration: int, members: int) -> Iterator[tuple[Attempt, ...]]:
        """What the iteration attempts, in order."""
        worth = await anyio.to_thread.run_sync(self.worth, iteration) if self.worth else None
        return self.sift(attempt_groups(self.tasks, iteration, members, self.seed, worth))


@dataclass(frozen=True, slots=True)
class Collected:
    """Attempts of one iteration."""

    groups: tuple[Group, ...]
    """All of them, in the order in which they began."""
    chosen: tuple[ScoredGroup, ...]
    """Those to learn from, in the same order; none if they are for a replay."""
    fates: dict[str, int]


async def collect_groups(rollouts: Rollouts, source: GroupSource, iteration: int, graded: Graded) -> Collected:
    """Groups until enough of them can be learned from, or `refill` is used up."""
    wanted = Wanted(source.groups, source.estimator, refill=source.refill)
    collector = Collector(wanted)
    waiting = _Waiting(rollouts, await rollouts.groups(iteration, source.members))
    while not collector.full():
        await waiting.begin(collector.missing(waiting.running))
        group = await waiting.next()
        if group is None:
            break
        collector.put(graded(group))
    order = {group.name: place for place, group in enumerate(waiting.over)}
    kept = collector.take(0)
    fates = {str(fate): count for fate, count in collector.fates.items()}
    return Collected(tuple(waiting.over), tuple(sorted(kept, key=lambda group: order[group.name])), fates)


async def collect_attempts(rollouts: Rollouts, count: int, iteration: int) -> Collected:
    """One attempt at each of so many tasks."""
    waiting = _Waiting(rollouts, await rollouts.groups(iteration, 1))
    await waiting.begin(count)
    while await waiting.next() is not None:
        pass
    return Collected(tuple(waiting.over), (), {})


class _Waiting:
    """Groups that have begun."""

    def __init__(self, rollouts: Rollouts, groups: Iterator[tuple[Attempt, ...]]) -> None:
        self._rollouts = rollouts
        self._groups = groups
        self._begun: dict[str, tuple[Attempt, ...]] = {}
        """By name, in the order in which they began."""
        self._ready: list[str] = []
        """Were over before a restart."""
        self._done: dict[str, Group] = {}
        self._cut_off = math.inf
        """When stragglers are cancelled."""

    @property
    def running(self) -> int:
        return len(self._begun) - len(self._done)

    @property
    def over(self) -> list[Group]:
        """In the order in which they began."""
        return [self._done[name] for name in self._begun if name in self._done]

    async def begin(self, count: int) -> None:
        over = self._rollouts.over()
        self._cut_off = math.inf if count else self._cut_off
        for _ in range(count):
            attempts = next(self._groups)
            name = attempts[0].group
            self._begun[name] = attempts
            todo = [attempt for attempt in attempts if attempt.attempt_id not in over]
            if not todo:
                self._ready.append(name)
            else:
                await self._rollouts.pool.submit(todo)

    async def next(self) -> Group | None:
        """The next one that is over; None if none is left."""
        if not self.running:
            return None
        name, cancelled = (self._ready.pop(0), set[str]()) if self._ready else _ended(await self._finished())
        # Stopped by us, they say nothing about the policy; one that had hardly begun may not even be in the store.
        names = [one.attempt_id for one in self._begun[name] if one.attempt_id not in cancelled]
        load = self._rollouts.load

        def members() -> tuple[Trajectory, ...]:
            return tuple(map(load, names))

        self._done[name] = Group(name, await anyio.to_thread.run_sync(members))
        return self._done[name]

    async def _finished(self) -> Finished:
        async with background() as tasks:
            tasks.start_soon(self._hurry)
            return await anext(aiter(self._rollouts.pool.finished()))

    async def _hurry(self) -> None:
        """Cancel the last ones, once enough of what has begun is over and they had their grace."""
        pool, completion = self._rollouts.pool, self._rollouts.completion
        begun = sum(len(attempts) for attempts in self._begun.values())
        if stragglers := begun - math.ceil(completion.threshold * begun):
            await pool.down_to(stragglers)
            self._cut_off = min(self._cut_off, anyio.current_time() + completion.grace_seconds)
            await anyio.sleep_until(self._cut_off)
            pool.cancel()


def _ended(finished: Finished) -> tuple[str, set[str]]:
    """Name of a group, and those of its attempts that were cancelled."""
    pairs = zip(finished.attempts, finished.endings, strict=True)
    cut = {attempt.attempt_id for attempt, ending in pairs if isinstance(ending.outcome, Cancelled)}
    return finished.attempts[0].group, cut

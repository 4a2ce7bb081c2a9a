"""Collect the rollouts of one iteration, reusing attempts that finished before a restart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import anyio
import anyio.to_thread

from webgym.buffer.groups import BatchRequirements, Collector, Group, ScoredGroup
from webgym.concurrency import background
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Cancellation, Trajectory
from webgym.rollout.pool import FinishedGroup, Pool
from webgym.rollout.run_all import StragglerRule
from webgym.run.batches import Load
from webgym.run.sources.curriculum import Worth, attempt_groups
from webgym.run.sources.pool_filter import Sift, everything
from webgym.store.rows import Row
from webgym.train.recipe import GroupSource

Graded = Callable[[Group], Group]
"""Transforms a group before it is scored: the identity, except in control runs."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """What collecting an iteration needs."""

    pool: Pool
    tasks: Sequence[Task]
    load: Load
    over: Callable[[], frozenset[str]]
    """Returns the ids of finished attempts."""
    seed: int
    worth: Worth | None = None
    """Task weights of the curriculum; None samples tasks uniformly."""
    sift: Sift = everything
    """Filters out groups that must not start, such as those of quarantined tasks."""
    completion: StragglerRule = StragglerRule()
    """When stragglers are cancelled."""
    rows: Callable[[], Sequence[Row]] = list
    """Returns the stored attempts. Blocks."""

    async def groups(self, iteration: int, members: int) -> Iterator[tuple[Attempt, ...]]:
        """Return the groups of the iteration, in order and without end."""
        worth = await anyio.to_thread.run_sync(self.worth, iteration) if self.worth else None
        return self.sift(attempt_groups(self.tasks, iteration, members, self.seed, worth))


@dataclass(frozen=True, slots=True)
class IterationRollouts:
    """The rollouts of one iteration."""

    groups: tuple[Group, ...]
    """All finished groups, in the order in which they started."""
    chosen: tuple[ScoredGroup, ...]
    """The groups to learn from, in the same order; empty when collecting for replay."""
    fates: dict[str, int]
    """Number of groups by fate, such as `kept` or `all_fail`."""


async def collect_groups(rollouts: Rollouts, source: GroupSource, iteration: int, graded: Graded) -> IterationRollouts:
    """Collect groups until a batch is full or the `refill` budget is used up."""
    wanted = BatchRequirements(source.groups, source.advantages, source.partial, refill=source.refill)
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
    return IterationRollouts(tuple(waiting.over), tuple(sorted(kept, key=lambda group: order[group.name])), fates)


async def collect_attempts(rollouts: Rollouts, count: int, iteration: int) -> IterationRollouts:
    """Make one attempt at each of the next `count` tasks."""
    waiting = _Waiting(rollouts, await rollouts.groups(iteration, 1))
    await waiting.begin(count)
    while await waiting.next() is not None:
        pass
    return IterationRollouts(tuple(waiting.over), (), {})


class _Waiting:
    """The groups of an iteration that have started."""

    def __init__(self, rollouts: Rollouts, groups: Iterator[tuple[Attempt, ...]]) -> None:
        self._rollouts = rollouts
        self._groups = groups
        self._begun: dict[str, tuple[Attempt, ...]] = {}
        """By name, in the order in which they started."""
        self._ready: list[str] = []
        """Groups that had already finished before a restart."""
        self._done: dict[str, Group] = {}
        self._cut_off = math.inf
        """Time at which stragglers are cancelled."""

    @property
    def running(self) -> int:
        return len(self._begun) - len(self._done)

    @property
    def over(self) -> list[Group]:
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
        """Wait for the next group to finish; return None if none is running."""
        if not self.running:
            return None
        name, cancelled = (self._ready.pop(0), set[str]()) if self._ready else _ended(await self._finished())
        # Cancelled attempts say nothing about the policy, and one cancelled early may not be in the store.
        names = [one.attempt_id for one in self._begun[name] if one.attempt_id not in cancelled]
        load = self._rollouts.load

        def members() -> tuple[Trajectory, ...]:
            return tuple(map(load, names))

        self._done[name] = Group(name, await anyio.to_thread.run_sync(members))
        return self._done[name]

    async def _finished(self) -> FinishedGroup:
        async with background() as tasks:
            tasks.start_soon(self._hurry)
            return await anext(aiter(self._rollouts.pool.finished()))

    async def _hurry(self) -> None:
        """Cancel stragglers after the grace period, once the completion threshold is reached."""
        pool, completion = self._rollouts.pool, self._rollouts.completion
        begun = sum(len(attempts) for attempts in self._begun.values())
        if stragglers := begun - math.ceil(completion.threshold * begun):
            await pool.down_to(stragglers)
            self._cut_off = min(self._cut_off, anyio.current_time() + completion.grace_seconds)
            await anyio.sleep_until(self._cut_off)
            pool.cancel()


def _ended(finished: FinishedGroup) -> tuple[str, set[str]]:
    """Return the name of a group, and the ids of its cancelled attempts."""
    pairs = zip(finished.attempts, finished.endings, strict=True)
    cut = {attempt.attempt_id for attempt, ending in pairs if isinstance(ending.outcome, Cancellation)}
    return finished.attempts[0].group, cut

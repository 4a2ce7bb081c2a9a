"""Sources whose iterations collect their own attempts, one after the other: the staleness bound is 0."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio.to_thread
import msgspec

from webgym.buffer.groups import Group
from webgym.buffer.replay import Replay, ReplaySettings
from webgym.records.sample import TrainingResult
from webgym.records.trajectory import Trajectory
from webgym.run.batches import BatchMaker, BuiltBatch, replay_batch
from webgym.run.controls import shuffled_rewards
from webgym.run.sources.batch_source import Harvest
from webgym.run.sources.collect import Rollouts, collect_attempts, collect_groups
from webgym.run.sources.curriculum import of_iteration
from webgym.store.rows import Row
from webgym.train.recipe import GroupSource, Recipe, ReplaySource

Size = Callable[[int, int], int]
"""Maps the planned number of groups, and attempts per group, to the number of groups to collect."""


def as_planned(groups: int, members: int) -> int:
    """Collect all planned groups."""
    del members
    return groups


@dataclass(frozen=True, slots=True)
class _InTurn:
    """What both have in common: nothing rolls on during an update."""

    rollouts: Rollouts
    maker: BatchMaker
    shuffles: bool
    """Whether to shuffle rewards, as a control experiment."""
    size: Size

    @property
    def rolls_on(self) -> bool:
        return False

    def moved(self, version: int) -> None:
        """Do nothing: the next iteration begins with these weights."""

    def rows(self, harvest: Harvest) -> Sequence[Row]:
        return self.rows_of(harvest.iteration)

    def rows_of(self, iteration: int) -> list[Row]:
        return [row for row in self.rollouts.rows() if row.attempt_id.startswith(of_iteration(iteration))]

    def flow(self, harvest: Harvest, batch: BuiltBatch | None, trained: TrainingResult | None) -> None:
        del harvest, batch, trained

    def noted(self, harvest: Harvest) -> None:
        """Do nothing: pictures of finished attempts are not needed again."""

    def graded(self, trajectories: tuple[Trajectory, ...], name: str) -> tuple[Trajectory, ...]:
        return shuffled_rewards(trajectories, self.rollouts.seed, name) if self.shuffles else trajectories


@dataclass(frozen=True, slots=True)
class OrderedGroups(_InTurn):
    """Groups in the order in which they began, which enter a batch in that order: it does not depend on timing."""

    source: GroupSource
    logprobs: bool
    """Whether the loss needs the behaviour policy's logprobs."""

    @asynccontextmanager
    async def rolling(self, first: int) -> AsyncGenerator[None]:
        del first
        yield

    async def take(self, iteration: int, version: int) -> Harvest:
        del version
        wanted = self.source.model_copy(update={"groups": self.size(self.source.groups, self.source.members)})
        collected = await collect_groups(self.rollouts, wanted, iteration, self._group)
        return Harvest(iteration, collected.chosen, collected.fates)

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch | None:
        fresh = self.source.model_copy(update={"max_lag": 0})
        return self.maker.of_groups(harvest.groups, fresh, version, logprobs=self.logprobs, versions=False, done=done)

    def _group(self, group: Group) -> Group:
        return msgspec.structs.replace(group, members=self.graded(group.members, group.name))


@dataclass(frozen=True, slots=True)
class ReplayedSteps(_InTurn):
    """Steps of successful attempts, drawn from the last iterations."""

    source: ReplaySource
    buffer: Replay

    @asynccontextmanager
    async def rolling(self, first: int) -> AsyncGenerator[None]:
        """Refill the replay buffer from earlier iterations."""
        for iteration in range(max(1, first - self.source.iterations + 1), first):
            self.remember(iteration, await anyio.to_thread.run_sync(self._finished, iteration))
        yield

    async def take(self, iteration: int, version: int) -> Harvest:
        del version
        collected = await collect_attempts(self.rollouts, self.size(self.source.tasks, 1), iteration)
        self.remember(iteration, (member for group in collected.groups for member in group.members))
        return Harvest(iteration)

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch | None:
        seed = self.rollouts.seed + harvest.iteration
        drawn = replay_batch(self.buffer, self.rollouts.load, self.maker.words, version, seed)
        if drawn is None:
            return None
        placed = msgspec.structs.replace(drawn, done=done)
        return self.maker.of_samples(placed, most=0 if self.source.iterations == 1 else None)

    def remember(self, iteration: int, trajectories: Iterable[Trajectory]) -> None:
        """Add the trajectories of an iteration to the replay buffer."""
        for one in self.graded(tuple(trajectories), f"{iteration}"):
            self.buffer.add(iteration, one)

    def _finished(self, iteration: int) -> list[Trajectory]:
        names = [row.attempt_id for row in self.rows_of(iteration) if row.outcome is not None]
        return [self.rollouts.load(name) for name in names]


def in_turn(
    recipe: Recipe, rollouts: Rollouts, maker: BatchMaker, *, shuffles: bool = False, size: Size = as_planned
) -> OrderedGroups | ReplayedSteps:
    """Return the source that the recipe names."""
    match recipe.source:
        case GroupSource() as source:
            return OrderedGroups(rollouts, maker, shuffles, size, source, recipe.loss.needs_behaviour)
        case ReplaySource() as source:
            buffer = Replay(ReplaySettings(source.iterations, source.power, source.steps))
            return ReplayedSteps(rollouts, maker, shuffles, size, source, buffer)

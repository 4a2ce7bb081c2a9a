"""Collect the rollouts of a synchronous iteration and build its batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from webgym.buffer.groups import Group
from webgym.buffer.replay import Replay, ReplaySettings
from webgym.records.sample import Batch
from webgym.records.trajectory import Trajectory
from webgym.records.vocabulary import ImageTokens
from webgym.run.training.batches import group_batch, replay_batch
from webgym.run.training.collect import Collected, Rollouts, collect_attempts, collect_groups
from webgym.run.training.controls import shuffled_rewards
from webgym.train.recipe import GroupSource, Recipe, ReplaySource

Size = Callable[[int, int], int]
"""Maps the planned number of groups, and attempts per group, to the number of groups to collect."""


def as_planned(groups: int, members: int) -> int:
    """Collect all planned groups."""
    del members
    return groups


@dataclass(frozen=True, slots=True)
class IterationBatch:
    """What one iteration learns from."""

    batch: Batch | None
    """None if there is nothing to learn from."""
    fates: dict[str, int]
    """Number of groups by fate."""
    lacking: int = 0
    """Samples left out because the server did not report their logprobs or versions."""


@dataclass(slots=True)
class IterationBatchMaker:
    """Collects rollouts and makes batches as the recipe specifies."""

    recipe: Recipe
    rollouts: Rollouts
    words: ImageTokens
    shuffles: bool = False
    """Whether to shuffle rewards, as a control experiment."""
    size: Size = as_planned
    replay: Replay = field(init=False)

    def __post_init__(self) -> None:
        match self.recipe.source:
            case ReplaySource(iterations=iterations, power=power, steps=steps):
                self.replay = Replay(ReplaySettings(iterations, power, steps))
            case GroupSource():
                self.replay = Replay()

    @property
    def remembers(self) -> int:
        """How many iterations back a batch may draw from."""
        match self.recipe.source:
            case ReplaySource(iterations=iterations):
                return iterations - 1
            case GroupSource():
                return 0

    def remember(self, iteration: int, trajectories: Iterable[Trajectory]) -> None:
        """Add the trajectories of an iteration to the replay buffer."""
        for one in self._graded(tuple(trajectories), f"{iteration}"):
            self.replay.add(iteration, one)

    async def make(self, iteration: int, version: int) -> IterationBatch:
        """Collect the rollouts of an iteration and make its batch."""
        match self.recipe.source:
            case GroupSource() as source:
                wanted = source.model_copy(update={"groups": self.size(source.groups, source.members)})
                collected = await collect_groups(self.rollouts, wanted, iteration, self._group)
                logprobs = self.recipe.loss.needs_behaviour
                batch, lacking = group_batch(collected.chosen, source, self.words, version, logprobs=logprobs)
                return IterationBatch(batch if batch.samples else None, collected.fates, lacking)
            case ReplaySource() as source:
                collected = await collect_attempts(self.rollouts, self.size(source.tasks, 1), iteration)
                self.remember(iteration, _members(collected))
                drawn = replay_batch(
                    self.replay, self.rollouts.load, self.words, version, self.rollouts.seed + iteration
                )
                return IterationBatch(drawn if drawn and drawn.samples else None, collected.fates)

    def _group(self, group: Group) -> Group:
        return msgspec.structs.replace(group, members=self._graded(group.members, group.name))

    def _graded(self, trajectories: tuple[Trajectory, ...], name: str) -> tuple[Trajectory, ...]:
        return shuffled_rewards(trajectories, self.rollouts.seed, name) if self.shuffles else trajectories


def _members(collected: Collected) -> Iterable[Trajectory]:
    return (member for group in collected.groups for member in group.members)

"""From scored groups to the batch that a trainer gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webgym.buffer.effects import effects
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.samples import SampleMaker, sampled_length
from webgym.buffer.weights import CONSTANT, step_weights
from webgym.records.sample import Aggregation, Batch, Sample
from webgym.records.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much each step of a batch counts."""

    aggregation: Aggregation = "constant"
    k: float = CONSTANT
    skip_unchanged: bool = False
    """Steps whose action changed nothing get weight 0. No other weight changes with that."""


def batch_of(groups: Sequence[ScoredGroup], maker: SampleMaker, weighing: Weighing, version: int) -> Batch:
    """One sample for each step that counts, in the order of groups, members and steps.

    Raises:
        SampleError: A step cannot be learned from.
    """
    members = [member for group in groups for member in group.members]
    lengths = [[sampled_length(step) for step in trajectory.steps] for trajectory, _ in members]
    weights = step_weights(lengths, weighing.aggregation, weighing.k)
    samples = [
        sample
        for (trajectory, advantage), of_steps in zip(members, weights, strict=True)
        for sample in _samples(trajectory, advantage, of_steps, maker, weighing)
    ]
    return Batch(tuple(samples), version)


def _samples(
    trajectory: Trajectory, advantage: float, weights: Sequence[float], maker: SampleMaker, weighing: Weighing
) -> list[Sample]:
    if advantage == 0:
        return []
    steps = zip(trajectory.steps, weights, effects(trajectory), strict=True)
    return [
        maker.make(trajectory.attempt, step, advantage=advantage, weight=weight)
        for step, weight, effect in steps
        if not (weighing.skip_unchanged and effect == "unchanged")
    ]

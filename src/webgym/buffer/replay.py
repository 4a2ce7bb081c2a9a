"""Filtered behaviour cloning: a replay buffer of recent successes."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from webgym.buffer.effects import worth_cloning
from webgym.buffer.samples import SampleMaker, sampled_length
from webgym.buffer.weights import step_weights
from webgym.errors import ConfigError, TrainingError
from webgym.records.base import Record
from webgym.records.sample import Batch
from webgym.records.trajectory import Step, Success, Trajectory


class StepRef(Record, frozen=True, order=True):
    """Reference to a stored step of a successful attempt."""

    iteration: int
    attempt_id: str
    step: int


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """Size and recency weighting of the replay buffer."""

    iterations: int = 4
    """Number of newest iterations to keep."""
    power: float = 2.0
    """A step of the r-th kept iteration, counted from the oldest as 0, is drawn with weight (r + 1) ** power."""
    steps: int = 1_800
    """Steps to draw, without replacement; all, if there are fewer."""

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.steps < 1 or self.power < 0:
            raise ConfigError("replay needs at least one iteration, one step, and a power of 0 or more")


class Replay:
    """References to the successful steps of the last iterations. After a restart it is refilled from the store."""

    def __init__(self, settings: ReplaySettings | None = None) -> None:
        self._settings = settings or ReplaySettings()
        self._refs: dict[int, set[StepRef]] = {}

    def add(self, iteration: int, trajectory: Trajectory) -> int:
        """Add a trajectory of an iteration and return how many of its steps were added: 0 unless it succeeded."""
        self._refs.setdefault(iteration, set())
        self._forget(max(self._refs))
        if iteration not in self._refs or not isinstance(trajectory.ending.outcome, Success):
            return 0
        useful = zip(trajectory.steps, worth_cloning(trajectory), strict=True)
        refs = {StepRef(iteration, trajectory.attempt.attempt_id, step.number) for step, worth in useful if worth}
        self._refs[iteration] |= refs
        return len(refs)

    @property
    def available(self) -> Mapping[int, int]:
        """Number of steps that can be drawn, by iteration."""
        return {iteration: len(refs) for iteration, refs in sorted(self._refs.items())}

    def draw(self, seed: int) -> tuple[StepRef, ...]:
        """Draw steps to train on. Depends only on the seed and the set of trajectories, not on their order."""
        weights = self._weights()
        refs = sorted(ref for refs in self._refs.values() for ref in refs)
        # Keys u^(1/w) make this equivalent to successive draws without replacement, in proportion to weight
        # (Efraimidis and Spirakis). Seeded for reproducibility, so not cryptographic.
        generator = random.Random(f"replay {seed}")  # noqa: S311
        keys = {ref: math.log(1.0 - generator.random()) / weights[ref.iteration] for ref in refs}
        return tuple(sorted(refs, key=lambda ref: -keys[ref])[: self._settings.steps])

    def _weights(self) -> dict[int, float]:
        """Weight by iteration, not by position in the buffer: many successes must not age earlier iterations."""
        oldest = min(self._refs, default=0)
        return {iteration: (iteration - oldest + 1) ** self._settings.power for iteration in self._refs}

    def _forget(self, newest: int) -> None:
        for iteration in [ref for ref in self._refs if ref <= newest - self._settings.iterations]:
            del self._refs[iteration]


def cloning_batch(
    refs: Sequence[StepRef], load: Callable[[str], Trajectory], maker: SampleMaker, version: int
) -> Batch:
    """Make a batch of the drawn steps, every token weighted equally, with weights that sum to 1.

    Raises:
        TrainingError: No steps were drawn, or the store lacks one.
        SampleError: A step cannot be trained on.
    """
    if not refs:
        raise TrainingError("no attempt of the last iterations succeeded: there is nothing to clone")
    trajectories = {name: load(name) for name in dict.fromkeys(ref.attempt_id for ref in refs)}
    rows = [(trajectories[ref.attempt_id], _step(trajectories[ref.attempt_id], ref)) for ref in refs]
    weights = step_weights([[sampled_length(step)] for _, step in rows], "token_mean")
    samples = [
        maker.make(trajectory.attempt, step, advantage=1.0, weight=weight)
        for (trajectory, step), (weight,) in zip(rows, weights, strict=True)
    ]
    return Batch(tuple(samples), version)


def _step(trajectory: Trajectory, ref: StepRef) -> Step:
    for step in trajectory.steps:
        if step.number == ref.step:
            return step
    raise TrainingError(f"attempt {ref.attempt_id} has no step {ref.step}")

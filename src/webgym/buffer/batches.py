"""Training batches from scored groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webgym.algorithms.advantages.estimator import Estimator
from webgym.buffer.credit import answers
from webgym.buffer.effects import effects
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.samples import SampleMaker, sampled_length
from webgym.buffer.weights import CONSTANT, step_weights
from webgym.errors import SampleError, SampleProblem
from webgym.records.sample import Aggregation, Batch, Sample
from webgym.records.trajectory import Step, Trajectory

_UNTOLD = {SampleProblem.NO_LOGPROBS, SampleProblem.NO_VERSIONS}
"""Problems of single replies, where the server left something out. Others are systematic and stay errors."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the steps of a batch are weighted."""

    aggregation: Aggregation = "constant"
    k: float = CONSTANT
    skip_unchanged: bool = False
    """Leave out steps whose action changed nothing. The weights of other steps do not change."""
    estimator: Estimator | str = "grpo"
    """How the answers of an attempt are compared with each other."""
    branches: float = 1.0
    """Factor on the weight of answers sampled to be compared with an attempt's own, and on its advantage among them."""


def batch_of(
    groups: Sequence[ScoredGroup],
    maker: SampleMaker,
    weighing: Weighing,
    version: int,
    refused: list[SampleError] | None = None,
) -> Batch:
    """Make one sample for each step that counts, in the order of groups, members and steps, and one for each branch.

    With `refused`, steps without logprobs or versions are skipped and their errors appended to it; the weights of
    other steps do not change.

    Raises:
        SampleError: A step cannot be trained on.
    """
    members = [member for group in groups for member in group.by_step]
    lengths = [[sampled_length(step) for step in trajectory.steps] for trajectory, _ in members]
    weights = step_weights(lengths, weighing.aggregation, weighing.k)
    samples: list[Sample] = []
    for (trajectory, advantages), of_steps in zip(members, weights, strict=True):
        for step, of_step, weight in _counting(trajectory, advantages, of_steps, weighing):
            try:
                samples.append(maker.make(trajectory.attempt, step, advantage=of_step, weight=weight))
            except SampleError as error:
                if refused is None or error.problem not in _UNTOLD:
                    raise
                refused.append(error)
    return Batch(tuple(samples), version)


def _counting(
    trajectory: Trajectory, advantages: Sequence[float], weights: Sequence[float], weighing: Weighing
) -> Iterator[tuple[Step, float, float]]:
    """Yield steps with advantages and weights. An answer's advantage is that of the step and that among branches."""
    compared = [(step, weighing.branches * worth) for step, worth in answers(trajectory, weighing.estimator)]
    for step, advantage, weight, effect in zip(trajectory.steps, advantages, weights, effects(trajectory), strict=True):
        is_compared = bool(compared) and step.number == trajectory.steps[-1].number
        total = advantage + compared[0][1] if is_compared else advantage
        if total and not (weighing.skip_unchanged and effect == "unchanged"):
            yield step, total, weight
    yield from ((step, worth, weights[-1]) for step, worth in compared[1:] if worth)

"""Converts a group to rows for AReaL: one row per step, with the scalar reward that AReaL turns into token advantages.

AReaL's own normalisation takes slices of as many rows as a group has members. Rows are steps, not members, and members
may be missing, so it is disabled: advantages come from `webgym.buffer`, over the attempts of a group with a reward.

AReaL divides the loss of a minibatch by its number of tokens, whatever the aggregation. So a row's reward is its
advantage times the row's relative weight under the aggregation:

    token_mean      1
    constant        1 / k
    per_trajectory  1 / T_i     T_i: steps of its attempt
    step_mean       1 / L_ij    L_ij: tokens of this step

The gradient then equals that of our own trainer, up to a factor shared by all tokens of the minibatch.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.samples import SampleMaker, runs, sampled_length
from webgym.records.prompt import unpack_ids, unpack_logprobs
from webgym.records.sample import Sample
from webgym.records.vocabulary import ImageTokens
from webgym.run.training.batches import sayable
from webgym.train.recipe import GroupSource


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step as a training row."""

    attempt_id: str
    step: int
    prompt: array[int]
    """Token ids, with one placeholder for each token of a picture."""
    sampled: array[int]
    logprobs: array[float]
    """Log-probabilities of the sampled tokens."""
    versions: array[int]
    """Weight versions of the sampled tokens."""
    pictures: tuple[str, ...]
    """Addresses, in prompt order."""
    reward: float

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.sampled)


def rows_of(group: ScoredGroup, source: GroupSource, words: ImageTokens) -> list[StepRow]:
    """Return the trainable steps of a group.

    Steps without a picture are left out: a rank of AReaL's trainer with only such steps never enters the vision tower,
    where the other ranks wait for it.

    Raises:
        SampleError: A step cannot be trained on although it should be trainable.
    """
    weighing = Weighing(source.aggregation, source.k, source.skip_unchanged)
    batch = sayable(batch_of((group,), SampleMaker(runs(words.image)), weighing, 0), words)
    scale = _scale(group, source)
    return [_row(sample, scale) for sample in batch.samples if sample.pictures]


def oldest_version(rows: list[StepRow]) -> int:
    """Return the oldest weight version that sampled any token of the rows."""
    return min(min(row.versions) for row in rows)


def _scale(group: ScoredGroup, source: GroupSource) -> float:
    """Return the factor that undoes the batch-wide part of a weight, which AReaL applies itself."""
    trajectories = [trajectory for trajectory, _ in group.members]
    match source.aggregation:
        case "constant" | "per_trajectory":
            return len(trajectories)
        case "token_mean":
            return sum(sampled_length(step) for one in trajectories for step in one.steps)
        case "step_mean":
            return sum(len(one.steps) for one in trajectories)


def _row(sample: Sample, scale: float) -> StepRow:
    [weight] = set(unpack_logprobs(sample.weights))
    return StepRow(
        attempt_id=sample.attempt_id,
        step=sample.step,
        prompt=unpack_ids(sample.prompt),
        sampled=unpack_ids(sample.sampled),
        logprobs=unpack_logprobs(sample.logprobs),
        versions=unpack_ids(sample.versions),
        pictures=sample.pictures,
        reward=weight * scale,
    )

"""A group as rows for AReaL: each step one row, with the one number that AReaL turns into its tokens' advantages.

AReaL's own normalisation takes slices of as many rows as a group has members. Steps are not members, and members may be
missing, so it is left out: advantages come from `webgym.buffer`, over the attempts of a group that have a reward.

AReaL divides the loss of a minibatch by its number of tokens, whatever the aggregation. So a row's reward is its
advantage times what the aggregation says about this row against others:

    token_mean      1
    constant        1 / k
    per_trajectory  1 / T_i     T_i: steps of its attempt
    step_mean       1 / L_ij    L_ij: tokens of this step

The gradient is then that of our own trainer, up to a factor that all tokens of the minibatch share.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.samples import SampleMaker, runs, sampled_length
from webgym.pipeline.train.batches import sayable
from webgym.records.prompt import unpack_ids, unpack_logprobs
from webgym.records.sample import Sample
from webgym.records.vocabulary import Vocabulary
from webgym.train.recipe import GroupSource


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step."""

    attempt_id: str
    step: int
    prompt: array[int]
    """Token ids; one placeholder for each token of a picture."""
    sampled: array[int]
    logprobs: array[float]
    """Of the sampled tokens."""
    versions: array[int]
    """Likewise."""
    pictures: tuple[str, ...]
    """Addresses, in the order of the prompt."""
    reward: float

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.sampled)


def rows_of(group: ScoredGroup, source: GroupSource, words: Vocabulary) -> list[StepRow]:
    """The steps of a group that can be learned from.

    A step without a picture is not among them: a rank of AReaL's trainer that has only such steps never enters the
    vision tower, and the others wait for it there.

    Raises:
        SampleError: A step cannot be learned from, and should have been possible to.
    """
    weighing = Weighing(source.aggregation, source.k, source.skip_unchanged)
    batch = sayable(batch_of((group,), SampleMaker(runs(words.image)), weighing, 0), words)
    scale = _scale(group, source)
    return [_row(sample, scale) for sample in batch.samples if sample.pictures]


def oldest_version(rows: list[StepRow]) -> int:
    """Of the weights that sampled any of their tokens."""
    return min(min(row.versions) for row in rows)


def _scale(group: ScoredGroup, source: GroupSource) -> float:
    """What undoes the part of a weight that is the same for all tokens of a batch, and is AReaL's business here."""
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

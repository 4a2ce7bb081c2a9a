"""Build training batches from the rollouts of an iteration."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection

import msgspec

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.replay import Replay, cloning_batch
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import SampleError, TrainingError
from webgym.records.prompt import unpack_ids
from webgym.records.sample import Batch
from webgym.records.vocabulary import ImageTokens
from webgym.run.training.collect import Load
from webgym.train.recipe import GroupSource

logger = logging.getLogger(__name__)


def group_batch(
    groups: Collection[ScoredGroup],
    source: GroupSource,
    words: ImageTokens,
    version: int,
    *,
    logprobs: bool,
    versions: bool = False,
) -> tuple[Batch, int]:
    """Return the batch of weighted steps of scored groups, and the number of steps left out.

    Steps are left out if the server did not report their logprobs or policy versions.

    Raises:
        SampleError: Every step lacks these, or a step is unusable for another reason.
    """
    weighing = Weighing(source.aggregation, source.k, source.skip_unchanged, source.advantages, source.branch_weight)
    maker = SampleMaker(runs(words.image), logprobs=logprobs, versions=versions)
    refused: list[SampleError] = []
    batch = batch_of(tuple(groups), maker, weighing, version, refused)
    if refused:
        if not batch.samples:
            raise refused[0]
        logger.warning("%d samples were skipped; first error: %s", len(refused), refused[0])
    return sayable(batch, words), len(refused)


def replay_batch(replay: Replay, load: Load, words: ImageTokens, version: int, seed: int) -> Batch | None:
    """Return a batch of steps drawn from recent successful attempts, or None if there are none."""
    refs = replay.draw(seed)
    if not refs:
        return None
    return sayable(cloning_batch(refs, load, SampleMaker(runs(words.image), logprobs=False), version), words)


def sayable(batch: Batch, words: ImageTokens) -> Batch:
    """Drop samples whose reply contains image tokens: there is no image to compute them from."""
    never = frozenset(words.never)
    kept = tuple(one for one in batch.samples if never.isdisjoint(unpack_ids(one.sampled)))
    return msgspec.structs.replace(batch, samples=kept)


def check_lag(batch: Batch) -> None:
    """Check that the batch is on-policy: every token was sampled by the version that learns from it.

    Raises:
        TrainingError: A token has another version, which synchronous training should make impossible.
    """
    lags = lags_of(batch)
    if set(lags) - {0}:
        raise TrainingError(f"tokens of other policy versions in a synchronous batch, by lag: {dict(lags)}")


def lags_of(batch: Batch) -> Counter[int]:
    """Return token counts by lag in policy versions."""
    return Counter(batch.version - version for sample in batch.samples for version in unpack_ids(sample.versions))

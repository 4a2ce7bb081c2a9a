"""From what an iteration collected to the batch that the trainer learns from."""

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
from webgym.pipeline.train.collect import Load
from webgym.records.prompt import unpack_ids
from webgym.records.sample import Batch
from webgym.records.vocabulary import Vocabulary
from webgym.train.recipe import GroupSource

logger = logging.getLogger(__name__)


def group_batch(
    groups: Collection[ScoredGroup],
    source: GroupSource,
    words: Vocabulary,
    version: int,
    *,
    logprobs: bool,
    versions: bool = False,
) -> tuple[Batch, int]:
    """Weighted steps of groups that were compared, and how many were left out: the server did not tell all of them.

    Raises:
        SampleError: It told all of none, or a step cannot be learned from for another reason.
    """
    weighing = Weighing(source.aggregation, source.k, source.skip_unchanged)
    maker = SampleMaker(runs(words.image), logprobs=logprobs, versions=versions)
    refused: list[SampleError] = []
    batch = batch_of(tuple(groups), maker, weighing, version, refused)
    if refused:
        if not batch.samples:
            raise refused[0]
        logger.warning("%d samples are left out, such as %s", len(refused), refused[0])
    return sayable(batch, words), len(refused)


def replay_batch(replay: Replay, load: Load, words: Vocabulary, version: int, seed: int) -> Batch | None:
    """Steps of successful attempts of the last iterations; None if there are none."""
    refs = replay.draw(seed)
    if not refs:
        return None
    return sayable(cloning_batch(refs, load, SampleMaker(runs(words.image), logprobs=False), version), words)


def sayable(batch: Batch, words: Vocabulary) -> Batch:
    """Without replies that have tokens of pictures in them: no trainer can compute those."""
    never = frozenset(words.never)
    kept = tuple(one for one in batch.samples if never.isdisjoint(unpack_ids(one.sampled)))
    return msgspec.structs.replace(batch, samples=kept)


def check_lag(batch: Batch) -> None:
    """Every token was sampled by the weights that learn from it.

    Raises:
        TrainingError: One was not: this loop waits for its rollouts, so something is wrong with it.
    """
    lags = lags_of(batch)
    if set(lags) - {0}:
        raise TrainingError(f"tokens of other versions in a batch of synchronous training, by lag: {dict(lags)}")


def lags_of(batch: Batch) -> Counter[int]:
    """How many tokens are so many updates behind."""
    return Counter(batch.version - version for sample in batch.samples for version in unpack_ids(sample.versions))

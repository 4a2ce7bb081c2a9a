"""Build the batch of an iteration, and the file in which the trainer finds it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import ScoredGroup
from webgym.buffer.replay import Replay, cloning_batch
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import SampleError, TrainingError
from webgym.records.prompt import unpack_ids
from webgym.records.sample import Batch
from webgym.records.trajectory import Trajectory
from webgym.records.vocabulary import ImageTokens
from webgym.run.folders import Folders
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.recipe import GroupSource

logger = logging.getLogger(__name__)

Load = Callable[[str], Trajectory]
"""Loads the trajectory of a finished attempt from the store. Blocks."""
Lacking = Callable[[Iterable[str]], Collection[str]]
"""Returns the addresses of these images that are not in the store."""


@dataclass(frozen=True, slots=True)
class BuiltBatch:
    """A batch file."""

    path: Path
    lags: Mapping[int, int]
    """Token counts by lag in policy versions."""
    lacking: int
    """Samples left out: an image was gone, or the server did not report logprobs or versions."""

    @property
    def lag_mean(self) -> float:
        return sum(lag * count for lag, count in self.lags.items()) / max(1, sum(self.lags.values()))

    @property
    def lag_max(self) -> int:
        return max(self.lags, default=0)


@dataclass(frozen=True, slots=True)
class BatchMaker:
    """Makes the batch of each policy version, once: a batch that is on disk stays as it is."""

    words: ImageTokens
    lacking: Lacking
    folders: Folders

    def of_groups(
        self,
        groups: Sequence[ScoredGroup],
        source: GroupSource,
        version: int,
        *,
        logprobs: bool,
        versions: bool,
        done: float = 0.0,
    ) -> BuiltBatch | None:
        """Make the batch of these groups; return None if nothing is left to learn from. Blocks.

        Args:
            groups: The groups to learn from.
            source: How their steps are weighted, and how old their tokens may be.
            version: Policy version that learns from them.
            logprobs: Whether the loss needs the behaviour policy's logprobs.
            versions: Whether every token must have one: a lag that is not known is not within the bound.
            done: The share of the run that is over.

        Raises:
            SampleError: A step is unusable, or the server reported logprobs and versions of none.
            TrainingError: A sample exceeds the maximum lag.
        """
        if not groups:
            return None
        whole, refused = group_batch(groups, source, self.words, version, logprobs=logprobs, versions=versions)
        placed = msgspec.structs.replace(whole, done=done)
        return self.of_samples(placed, refused, most=source.max_lag, versions=versions)

    def of_samples(
        self, whole: Batch, refused: int = 0, *, most: int | None = None, versions: bool = False
    ) -> BuiltBatch | None:
        """Make the batch of these samples, whose lag is at most `most`. Blocks."""
        path = self.folders.batch(whole.version)
        batch = read_batch(path) if path.exists() else shown(whole, self.lacking)
        if not batch.samples:
            return None
        if most is not None:
            check_bound(batch, most, versions=versions)
        if not path.exists():
            write_batch(path, batch)
        return BuiltBatch(path, lags_of(batch), refused + len(whole.samples) - len(batch.samples))


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


def lags_of(batch: Batch) -> Counter[int]:
    """Return token counts by lag in policy versions."""
    return Counter(batch.version - version for sample in batch.samples for version in unpack_ids(sample.versions))


def shown(batch: Batch, lacking: Lacking) -> Batch:
    """Drop samples whose images are gone; the weights of the others do not change."""
    gone = lacking(address for sample in batch.samples for address in sample.pictures)
    if not gone:
        return batch
    kept = tuple(one for one in batch.samples if not any(address in gone for address in one.pictures))
    return msgspec.structs.replace(batch, samples=kept)


def check_bound(batch: Batch, most: int, *, versions: bool = True) -> None:
    """Check that every token has a version and a lag of at most `most`, as a last safeguard before the update.

    Without `versions`, tokens of unknown version pass.

    Raises:
        TrainingError: A token has no version, or its lag is out of bounds.
    """
    for sample in batch.samples:
        if versions and len(sample.versions) != len(sample.sampled):
            raise TrainingError(
                f"attempt {sample.attempt_id}, step {sample.step}: the weights that sampled it are unknown"
            )
    if outside := {lag: count for lag, count in lags_of(batch).items() if not 0 <= lag <= most}:
        raise TrainingError(f"batch {batch.version} has tokens outside a lag of 0 to {most} updates, by lag: {outside}")

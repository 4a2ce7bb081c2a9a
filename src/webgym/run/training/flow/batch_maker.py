"""Turn groups into the batch file that the trainer reads, without stale or incomplete samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.buffer.groups import ScoredGroup
from webgym.errors import TrainingError
from webgym.records.sample import Batch
from webgym.records.vocabulary import ImageTokens
from webgym.run.training.batches import group_batch, lags_of
from webgym.run.training.folders import Folders
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.recipe import GroupSource

Lacking = Callable[[Iterable[str]], Collection[str]]
"""Returns the addresses of these images that are not in the store."""


@dataclass(frozen=True, slots=True)
class Made:
    """A batch file."""

    path: Path
    lags: Mapping[int, int]
    """Token counts by lag in policy versions."""
    lacking: int
    """Samples left out: an image was gone, or the server did not report logprobs or versions."""

    @property
    def lag_mean(self) -> float:
        return sum(lag * count for lag, count in self.lags.items()) / sum(self.lags.values())

    @property
    def lag_max(self) -> int:
        return max(self.lags)


@dataclass(frozen=True, slots=True)
class BatchMaker:
    """Makes the batch of each policy version from groups."""

    source: GroupSource
    words: ImageTokens
    logprobs: bool
    """Whether the loss needs the behaviour policy's logprobs."""
    lacking: Lacking
    folders: Folders

    def make(self, groups: Sequence[ScoredGroup], version: int, done: float = 0.0) -> Made | None:
        """Write the batch of this version, or reuse its file; return None if nothing is left to learn from. Blocks.

        `done` is the share of the run that is over.

        Raises:
            SampleError: A step is unusable, or the server reported logprobs and versions of none.
            TrainingError: A sample exceeds the maximum lag.
        """
        path = self.folders.batch(version)
        whole, refused = group_batch(groups, self.source, self.words, version, logprobs=self.logprobs, versions=True)
        batch = read_batch(path) if path.exists() else shown(whole, self.lacking)
        if not batch.samples:
            return None
        check_bound(batch, self.source.max_lag)
        if not path.exists():
            write_batch(path, msgspec.structs.replace(batch, done=done))
        return Made(path, lags_of(batch), refused + len(whole.samples) - len(batch.samples))


def shown(batch: Batch, lacking: Lacking) -> Batch:
    """Drop samples whose images are gone; the weights of the others do not change."""
    gone = lacking(address for sample in batch.samples for address in sample.pictures)
    if not gone:
        return batch
    kept = tuple(one for one in batch.samples if not any(address in gone for address in one.pictures))
    return msgspec.structs.replace(batch, samples=kept)


def check_bound(batch: Batch, most: int) -> None:
    """Check that every token has a version and a lag of at most `most`, as a last safeguard before the update.

    Raises:
        TrainingError: A token has no version, or its lag is out of bounds.
    """
    for sample in batch.samples:
        if len(sample.versions) != len(sample.sampled):
            raise TrainingError(
                f"attempt {sample.attempt_id}, step {sample.step}: the weights that sampled it are unknown"
            )
    if outside := {lag: count for lag, count in lags_of(batch).items() if not 0 <= lag <= most}:
        raise TrainingError(f"batch {batch.version} has tokens outside a lag of 0 to {most} updates, by lag: {outside}")

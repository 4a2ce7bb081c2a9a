"""From groups to the file that a trainer learns from: nothing too old, and nothing that lacks something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.buffer.groups import ScoredGroup
from webgym.errors import TrainingError
from webgym.pipeline.train.batches import group_batch, lags_of
from webgym.pipeline.train.folders import Folders
from webgym.records.sample import Batch
from webgym.records.vocabulary import Vocabulary
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.recipe import GroupSource

Lacking = Callable[[Iterable[str]], Collection[str]]
"""Those of these pictures that cannot be had."""


@dataclass(frozen=True, slots=True)
class Made:
    """A batch in a file."""

    path: Path
    lags: Mapping[int, int]
    """How many tokens are so many updates behind."""
    lacking: int
    """Samples that were left out: a picture of theirs was gone, or the server did not tell all of their tokens."""

    @property
    def lag_mean(self) -> float:
        return sum(lag * count for lag, count in self.lags.items()) / sum(self.lags.values())

    @property
    def lag_max(self) -> int:
        return max(self.lags)


@dataclass(frozen=True, slots=True)
class BatchMaker:
    """Makes batches of groups, for weights of any version."""

    source: GroupSource
    words: Vocabulary
    logprobs: bool
    """Whether the loss needs those of the weights that sampled."""
    lacking: Lacking
    folders: Folders

    def make(self, groups: Sequence[ScoredGroup], version: int) -> Made | None:
        """The batch of this version, unless it is there already; None if nothing is left to learn from. Blocks.

        Raises:
            SampleError: A step cannot be learned from, or the server told all of none.
            TrainingError: A sample is older than it may be.
        """
        path = self.folders.batch(version)
        whole, refused = group_batch(groups, self.source, self.words, version, logprobs=self.logprobs, versions=True)
        batch = read_batch(path) if path.exists() else shown(whole, self.lacking)
        if not batch.samples:
            return None
        check_bound(batch, self.source.max_lag)
        if not path.exists():
            write_batch(path, batch)
        return Made(path, lags_of(batch), refused + len(whole.samples) - len(batch.samples))


def shown(batch: Batch, lacking: Lacking) -> Batch:
    """Without samples whose pictures are gone; what the others count does not change."""
    gone = lacking(address for sample in batch.samples for address in sample.pictures)
    if not gone:
        return batch
    kept = tuple(one for one in batch.samples if not any(address in gone for address in one.pictures))
    return msgspec.structs.replace(batch, samples=kept)


def check_bound(batch: Batch, most: int) -> None:
    """No token is more updates old than that, and every one says how old it is: the last look before learning.

    Raises:
        TrainingError: One is.
    """
    for sample in batch.samples:
        if len(sample.versions) != len(sample.sampled):
            raise TrainingError(
                f"attempt {sample.attempt_id}, step {sample.step}: nobody knows which weights sampled it"
            )
    if outside := {lag: count for lag, count in lags_of(batch).items() if not 0 <= lag <= most}:
        raise TrainingError(f"tokens that are not 0 to {most} updates old in batch {batch.version}, by lag: {outside}")

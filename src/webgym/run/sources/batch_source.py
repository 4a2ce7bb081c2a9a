"""What the loop asks of a source of batches, wherever its attempts come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from webgym.buffer.groups import ScoredGroup
from webgym.records.curve import Flow
from webgym.records.sample import TrainingResult
from webgym.run.batches import BuiltBatch
from webgym.store.rows import Row


@dataclass(frozen=True, slots=True)
class Harvest:
    """The attempts that an iteration learns from."""

    iteration: int
    groups: tuple[ScoredGroup, ...] = ()
    """The groups to learn from; none for replay, whose buffer has the steps."""
    fates: Mapping[str, int] = field(default_factory=dict[str, int])
    """Number of groups by fate, such as `kept` or `all_fail`."""
    names: frozenset[str] = frozenset()
    """The groups that are settled with it, where groups outlive iterations."""
    running: int = 0
    waiting: int = 0
    """Groups that go on, and that wait for the next batch."""


class BatchSource(Protocol):
    """Makes attempts and gives the loop what to learn from: replayed, in order, or as they finish."""

    @property
    def rolls_on(self) -> bool:
        """Whether rollouts go on during updates. If not, the sampler rests and leaves its memory to the trainer."""
        ...

    def rolling(self, first: int) -> AbstractAsyncContextManager[None]:
        """Make attempts for iterations from `first` on, as long as the block runs."""
        ...

    async def take(self, iteration: int, version: int) -> Harvest:
        """Wait for what an iteration learns from: after a restart, the same again."""
        ...

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch | None:
        """Make the batch file for weights of this version; return None if there is nothing to learn from. Blocks.

        `done` is the share of the run that is over.
        """
        ...

    def moved(self, version: int) -> None:
        """Go on with the weights of this version, which may be the same."""
        ...

    def rows(self, harvest: Harvest) -> Sequence[Row]:
        """Return the attempts of the iteration. Blocks."""
        ...

    def flow(self, harvest: Harvest, batch: BuiltBatch | None, trained: TrainingResult | None) -> Flow | None:
        """Return how rollouts and updates overlapped; None if they do not."""
        ...

    def noted(self, harvest: Harvest) -> None:
        """Let go of the iteration: its entry is in the curve."""
        ...

"""The source whose rollouts never wait for an update: groups enter a batch as they finish."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import anyio.to_thread

from webgym.buffer.groups import ScoredGroup
from webgym.concurrency import background
from webgym.errors import TrainingError
from webgym.records.curve import Flow
from webgym.records.sample import TrainingResult
from webgym.run.batches import BatchMaker, BuiltBatch
from webgym.run.meter import Meter
from webgym.run.sources.batch_source import Harvest
from webgym.run.sources.feeder import Feeder
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.watch import Watch
from webgym.store.rows import Row
from webgym.train.recipe import GroupSource

_BATCH = "a batch"

Again = Callable[[IterationSettlement], Awaitable[Sequence[ScoredGroup]]]
"""Loads the groups that an iteration was settled with before a restart."""
RowsOf = Callable[[Collection[str]], Sequence[Row]]
"""Returns the attempts of these groups. Blocks."""


@dataclass(frozen=True, slots=True)
class Meters:
    """Utilisation of browsers, inference and trainer."""

    browser: Meter
    inference: Meter
    trainer: Meter

    def lap(self) -> dict[str, float]:
        """Return the idle share of each since the last call."""
        found = (("browser", self.browser), ("inference", self.inference), ("trainer", self.trainer))
        return {name: meter.lap() for name, meter in found}


@dataclass(frozen=True, slots=True)
class StreamedGroups:
    """Groups that finish while the weights change; `settled_groups` fixes, on disk, which ones a batch is made of."""

    feeder: Feeder
    source: GroupSource
    maker: BatchMaker
    logprobs: bool
    """Whether the loss needs the behaviour policy's logprobs."""
    settled_groups: SettledGroups
    again: Again
    rows_of: RowsOf
    watch: Watch
    meters: Meters
    restarts: Callable[[], Mapping[str, int]]
    """Returns how often each process was restarted."""
    let_go: Callable[[Collection[str]], None] = lambda _names: None
    """Called with the groups whose iteration is in the curve."""
    known: dict[int, IterationSettlement] = field(default_factory=dict[int, IterationSettlement])
    """What iterations were settled with before a restart; filled when rollouts begin."""

    @property
    def rolls_on(self) -> bool:
        return True

    @asynccontextmanager
    async def rolling(self, first: int) -> AsyncGenerator[None]:
        del first
        self.known.update(await anyio.to_thread.run_sync(self.settled_groups.read))
        async with background() as tasks:
            tasks.start_soon(self.feeder.run)
            with self.watch.rollouts(self._oldest, lambda: self.feeder.running > 0):
                yield

    async def take(self, iteration: int, version: int) -> Harvest:
        """Fix the groups that the iteration learns from, durably."""
        feeder = self.feeder
        settled = self.known.get(iteration)
        if settled is not None:
            _check_version(settled, version)
            feeder.learning = bool(settled.groups)
            return self._harvest(settled, await self.again(settled))
        feeder.noticed = lambda: self.watch.moved(_BATCH)
        with self.watch.during(_BATCH, self._oldest):
            taken = await feeder.take()
        names = tuple(group.name for group in taken.groups)
        settled = IterationSettlement(iteration, version, names, taken.fates)
        # Before the batch is written: after a crash it is made of the same groups, and no other batch has them.
        await anyio.to_thread.run_sync(self.settled_groups.write, settled)
        return self._harvest(settled, taken.groups)

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch | None:
        return self.maker.of_groups(
            harvest.groups, self.source, version, logprobs=self.logprobs, versions=True, done=done
        )

    def moved(self, version: int) -> None:
        self.feeder.moved(version)

    def rows(self, harvest: Harvest) -> Sequence[Row]:
        return [row for row in self.rows_of(harvest.names) if row.outcome is not None]

    def flow(self, harvest: Harvest, batch: BuiltBatch | None, trained: TrainingResult | None) -> Flow:
        lacking = (batch.lacking if batch else 0) + int(trained.figures.get("lacking", 0) if trained else 0)
        return Flow(
            lag_mean=batch.lag_mean if batch else 0.0,
            lag_max=batch.lag_max if batch else 0,
            lacking=lacking,
            running=harvest.running,
            waiting=harvest.waiting,
            idle=self.meters.lap(),
            restarts=dict(self.restarts()),
        )

    def noted(self, harvest: Harvest) -> None:
        self.let_go(harvest.names)

    def _harvest(self, settled: IterationSettlement, groups: Sequence[ScoredGroup]) -> Harvest:
        fates = Counter(str(fate) for fate in settled.fates.values())
        feeder = self.feeder
        return Harvest(
            settled.iteration, tuple(groups), fates, frozenset(settled.fates), feeder.running, feeder.waiting
        )

    def _oldest(self) -> str:
        oldest = self.feeder.oldest
        parts = [f"{self.feeder.waiting} groups waiting, {self.feeder.running} running"]
        if oldest is not None:
            parts.append(f"the oldest is {oldest[0]}, for {oldest[1]:.0f} s")
        return ", ".join(parts)


def _check_version(settled: IterationSettlement, version: int) -> None:
    if settled.version != version:
        raise TrainingError(
            f"iteration {settled.iteration} was planned for weights version {settled.version}, but the run is at "
            f"{version}: its folder was changed in the meantime"
        )

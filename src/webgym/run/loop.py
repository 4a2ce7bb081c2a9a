"""The training loop: take, batch, learn, publish, note, evaluate, again.

    source        makes attempts and gives what an iteration learns from     `sources/`
    trainer       updates the weights with a batch file, once per version    `train/`
    weights       the sampler: serves the weights that are published to it   `engine/`, `inference/`
    evaluations   test weights on unseen websites, in turn or beside         `evaluations/`
    curve         what is known of every iteration, on disk                  `curve_log.py`
    schedule      how many iterations, which are evaluated, what is kept     `schedule.py`

None of them knows the loop. Synchronous training is this loop with a source whose rollouts do not go on during an
update, so that the sampler rests and no token is older than the weights that learn from it; asynchronous training is
this loop with one whose rollouts do.

Every part of an iteration leaves a file and is skipped if that file is there: the attempts, the batch, the checkpoint,
the weights, and last the entry in the curve. So a run that is killed at any point goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio.to_thread

from webgym.concurrency import background
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.batches import BuiltBatch
from webgym.run.best_weights import evaluated_versions
from webgym.run.curve_log import CurveLog
from webgym.run.evaluations.evaluations import Evaluations
from webgym.run.figures import learned, speed, tried
from webgym.run.folders import Folders
from webgym.run.schedule import Schedule, owed
from webgym.run.sources.batch_source import BatchSource, Harvest
from webgym.stages import Trainer, Weights


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What the loop works with."""

    source: BatchSource
    trainer: Trainer
    weights: Weights
    evaluations: Evaluations
    curve: CurveLog
    schedule: Schedule
    folders: Folders
    model: Path
    """Folder of the initial weights."""


@dataclass(slots=True)
class Clock:
    """Seconds that an iteration spent in each phase."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])

    @asynccontextmanager
    async def __call__(self, what: str) -> AsyncGenerator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[what] = self.seconds.get(what, 0.0) + time.monotonic() - began


class Loop:
    """A training run in progress, which samples from `policy` when it begins."""

    def __init__(self, parts: LoopParts, policy: PolicyVersion) -> None:
        self._parts = parts
        self._policy = policy
        self._began = time.time()

    async def run(self, until: int) -> None:
        """Run the iterations up to `until` that are not in the curve, and the evaluations that are due."""
        parts = self._parts
        first = parts.curve.newest + 1
        last = min(until, parts.schedule.iterations)
        async with background() as tasks:
            tasks.start_soon(parts.evaluations.run)
            for iteration, policy in owed(parts.curve.iterations, parts.schedule, parts.folders, parts.model):
                await parts.evaluations.due(iteration, policy, self._policy, must=True)
            if first <= last:
                async with parts.source.rolling(first):
                    for iteration in range(first, last + 1):
                        if await self._iterate(iteration):
                            break
            await parts.evaluations.drained()

    async def _iterate(self, iteration: int) -> bool:
        """Run one iteration; return whether it is the last one."""
        parts, source, clock = self._parts, self._parts.source, Clock()
        async with clock("wait" if source.rolls_on else "collect"):
            harvest = await source.take(iteration, self._policy.version)
        async with clock("batch"):
            done = parts.schedule.length.done(iteration)
            batch = await anyio.to_thread.run_sync(source.batch, harvest, self._policy.version, done)
        trained = await self._learn(batch, clock) if batch else None
        source.moved(self._policy.version)
        last = parts.schedule.length.is_last(iteration)
        entry = await self._entry(harvest, batch, trained, clock)
        is_due = parts.schedule.evaluates(iteration, last=last) and not parts.schedule.later
        # The entry first, as an evaluation adds its result to it, possibly at once after a restart.
        parts.curve.note(entry, evaluation_follows=is_due and parts.evaluations.in_turn)
        source.noted(harvest)
        if is_due:
            await parts.evaluations.due(iteration, self._policy, self._policy, must=last)
        await anyio.to_thread.run_sync(self._tidy, parts.evaluations.pinned)
        return last

    async def _learn(self, batch: BuiltBatch, clock: Clock) -> TrainingResult:
        """Update the weights with a batch and sample from them from now on."""
        parts, version, rests = self._parts, self._policy.version, not self._parts.source.rolls_on
        if rests:
            async with clock("sleep"):
                await parts.weights.rest()
        async with clock("learn"):
            trained = await parts.trainer.step(batch.path, version, parts.folders.policy(version + 1))
        async with clock("wake" if rests else "publish"):
            await parts.weights.publish(trained.policy)
        self._policy = trained.policy
        return trained

    async def _entry(
        self, harvest: Harvest, batch: BuiltBatch | None, trained: TrainingResult | None, clock: Clock
    ) -> Iteration:
        source = self._parts.source
        rows = await anyio.to_thread.run_sync(source.rows, harvest)
        rolled = sum(clock.seconds.values()) if source.rolls_on else clock.seconds["collect"]
        steps, tokens = speed(rows, self._began, rolled)
        return Iteration(
            iteration=harvest.iteration,
            version=self._policy.version,
            ended=time.time(),
            train=tried([row for row in rows if row.outcome is not None]),
            learned=learned(trained, harvest.fates, batch.lags, batch.lacking) if trained and batch else None,
            evaluation=None,
            seconds=dict(clock.seconds),
            steps_per_second=steps,
            tokens_per_second=tokens,
            flow=source.flow(harvest, batch, trained),
        )

    def _tidy(self, pinned: set[int]) -> None:
        """Forget the weights and batches that nothing needs again."""
        schedule, folders, iterations = self._parts.schedule, self._parts.folders, self._parts.curve.iterations
        newest = self._policy.version
        # Keep the previous version too: a resume needs it if this iteration is not in the curve yet.
        recent = range(newest - max(2, schedule.keep) + 1, newest + 1)
        folders.forget_policies({0, *recent, *pinned, *evaluated_versions(iterations), *schedule.deferred(iterations)})
        folders.forget_batches(newest - max(2, schedule.keep))

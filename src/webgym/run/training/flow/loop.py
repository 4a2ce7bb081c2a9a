"""The trainer's side of asynchronous training: take a batch, update, publish, repeat, while rollouts continue.

Every part of an iteration writes a file when it is done and is skipped if that file exists: `settled` fixes the groups,
the batch file their samples, the checkpoint marks the update, and the curve entry ends the iteration.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import anyio
import anyio.to_thread

from webgym.buffer.groups import ScoredGroup
from webgym.errors import DeadlineError, PolicyUnavailable, TrainingError
from webgym.records.curve import Flow, Iteration, UpdateSummary
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.training.figures import learned, speed, tried
from webgym.run.training.flow.batch_maker import Made
from webgym.run.training.flow.evaluations import Evaluations
from webgym.run.training.flow.feeder import Feeder
from webgym.run.training.flow.meter import Meter
from webgym.run.training.flow.settled_groups import Settled, SettledGroups
from webgym.run.training.flow.watch import Watch
from webgym.run.training.folders import Folders
from webgym.run.training.loop import Clock, Plan
from webgym.stages import Trainer, Weights
from webgym.store.rows import Row

_PUBLISH_SECONDS = 600.0
"""Timeout for publishing weights, long enough for a sampler that died to restart."""
_PAUSE_SECONDS = 1.0
_BATCH = "a batch"

Again = Callable[[Settled], Awaitable[Sequence[ScoredGroup]]]
"""Loads the groups that an iteration was settled with before a restart."""
RowsOf = Callable[[Collection[str]], Sequence[Row]]
"""Returns the attempts of these groups. Blocks."""


Told = Callable[[Iteration, Collection[str]], None]
"""Called with a finished iteration and the names of the groups settled in it."""


class Makes(Protocol):
    """Makes batches; implemented by `batch_maker.BatchMaker`."""

    def make(self, groups: Sequence[ScoredGroup], version: int, done: float) -> Made | None: ...


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
class FlowStages:
    """The stages of asynchronous training."""

    feeder: Feeder
    maker: Makes
    trainer: Trainer
    weights: Weights
    evaluations: Evaluations
    settled_groups: SettledGroups
    again: Again
    rows: RowsOf
    folders: Folders
    watch: Watch
    meters: Meters
    restarts: Callable[[], Mapping[str, int]]
    kept: Callable[[], set[int]] = set
    """Returns policy versions to keep regardless of age: evaluated, best, or awaiting a deferred evaluation."""


@dataclass(frozen=True, slots=True)
class _Update:
    made: Made | None
    trained: TrainingResult | None
    running: int
    waiting: int


class FlowLoop:
    """An asynchronous training run in progress."""

    def __init__(self, stages: FlowStages, plan: Plan, first: PolicyVersion, told: Told) -> None:
        self._stages = stages
        self._plan = plan
        self._policy = first
        self._told = told
        self._settled: dict[int, Settled] = {}
        self._began = time.time()

    async def run(self, done: Sequence[Iteration], until: int) -> None:
        """Run the iterations up to `until` that are not in `done`, and all evaluations that are due."""
        self._settled = await anyio.to_thread.run_sync(self._stages.settled_groups.read)
        following = max((one.iteration for one in done), default=0) + 1
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._stages.watch.run)
            tasks.start_soon(self._stages.evaluations.run)
            if following <= min(until, self._plan.iterations):
                await self._iterations(following, min(until, self._plan.iterations))
            await self._stages.evaluations.drained()
            tasks.cancel_scope.cancel()

    async def _iterations(self, first: int, last: int) -> None:
        feeder = self._stages.feeder
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(feeder.run)
            with self._stages.watch.rollouts(lambda: _oldest(feeder), lambda: feeder.running > 0):
                for iteration in range(first, last + 1):
                    if await self._iterate(iteration):
                        break
            tasks.cancel_scope.cancel()

    async def _iterate(self, iteration: int) -> bool:
        """Run one iteration; return whether it is the last one."""
        clock = Clock()
        settled, groups = await self._settle(iteration, clock)
        update = await self._update(groups, clock, self._plan.pace.done(iteration))
        self._stages.feeder.moved(self._policy.version)
        last = self._plan.pace.is_last(iteration)
        await anyio.to_thread.run_sync(self._tidy, self._stages.evaluations.pinned | self._stages.kept())
        rows = await anyio.to_thread.run_sync(self._stages.rows, settled.fates)
        self._told(self._entry(settled, update, clock, rows), settled.fates)
        # Only after the entry is written, as the evaluation adds its result to it, possibly at once after a restart.
        if self._plan.evaluates(iteration, last=last) and not self._plan.later:
            self._stages.evaluations.due(iteration, self._policy, must=last)
        return last

    async def _settle(self, iteration: int, clock: Clock) -> tuple[Settled, Sequence[ScoredGroup]]:
        """Fix the groups that the iteration learns from, durably."""
        stages, feeder = self._stages, self._stages.feeder
        async with clock("wait"):
            known = self._settled.get(iteration)
            if known is not None:
                _check_version(known, self._policy.version)
                feeder.learning = bool(known.groups)
                return known, await stages.again(known)
            feeder.noticed = lambda: stages.watch.moved(_BATCH)
            with stages.watch.during(_BATCH, lambda: _oldest(feeder)):
                taken = await feeder.take()
        names = tuple(group.name for group in taken.groups)
        settled = Settled(iteration, self._policy.version, names, taken.fates)
        await anyio.to_thread.run_sync(stages.settled_groups.write, settled)
        return settled, taken.groups

    async def _update(self, groups: Sequence[ScoredGroup], clock: Clock, done: float) -> _Update:
        stages, version = self._stages, self._policy.version
        running, waiting = stages.feeder.running, stages.feeder.waiting
        async with clock("batch"):
            made = await anyio.to_thread.run_sync(stages.maker.make, groups, version, done) if groups else None
        if made is None:
            return _Update(None, None, running, waiting)
        async with clock("learn"):
            with stages.watch.during("the trainer"), stages.meters.trainer.one():
                trained = await stages.trainer.step(made.path, version, stages.folders.policy(version + 1))
        async with clock("publish"):
            with stages.watch.during("publishing weights"):
                await publish(stages.weights, trained.policy)
        self._policy = trained.policy
        return _Update(made, trained, running, waiting)

    def _tidy(self, needed: set[int]) -> None:
        newest = self._policy.version
        recent = range(newest - max(2, self._plan.keep) + 1, newest + 1)
        self._stages.folders.forget_policies({0, *recent, *needed})
        self._stages.folders.forget_batches(newest - max(2, self._plan.keep))

    def _entry(self, settled: Settled, update: _Update, clock: Clock, rows: Sequence[Row]) -> Iteration:
        fates = [str(fate) for fate in settled.fates.values()]
        counts = {fate: fates.count(fate) for fate in dict.fromkeys(fates)}
        over = [row for row in rows if row.outcome is not None]
        steps, tokens = speed(over, self._began, sum(clock.seconds.values()))
        made = update.made
        found: UpdateSummary | None = learned(update.trained, counts, made.lags) if update.trained and made else None
        return Iteration(
            iteration=settled.iteration,
            version=self._policy.version,
            ended=time.time(),
            train=tried(over),
            learned=found,
            evaluation=None,
            seconds=clock.seconds,
            steps_per_second=steps,
            tokens_per_second=tokens,
            flow=Flow(
                lag_mean=made.lag_mean if made else 0.0,
                lag_max=made.lag_max if made else 0,
                lacking=_lacking(update),
                running=update.running,
                waiting=update.waiting,
                idle=self._stages.meters.lap(),
                restarts=dict(self._stages.restarts()),
            ),
        )


async def publish(weights: Weights, policy: PolicyVersion, seconds: float = _PUBLISH_SECONDS) -> None:
    """Publish new weights, retrying if the sampler dies meanwhile.

    Raises:
        TrainingError: The sampler did not accept them in time.
        ConfigError: The weights are unusable.
    """
    trouble = "it did not respond"
    with anyio.move_on_after(seconds):
        while True:
            try:
                await weights.publish(policy)
            except (PolicyUnavailable, DeadlineError) as error:
                trouble = str(error)
            else:
                return
            await anyio.sleep(_PAUSE_SECONDS)
    raise TrainingError(f"weights of version {policy.version} were not loaded within {seconds:.0f} s: {trouble}")


def _check_version(settled: Settled, version: int) -> None:
    if settled.version != version:
        raise TrainingError(
            f"iteration {settled.iteration} was planned for weights version {settled.version}, but the run is at "
            f"{version}: its folder was changed in the meantime"
        )


def _lacking(update: _Update) -> int:
    """Count samples left out of the batch, and those whose images were gone when the trainer read it."""
    made = update.made.lacking if update.made else 0
    return made + int(update.trained.figures.get("lacking", 0)) if update.trained else made


def _oldest(feeder: Feeder) -> str:
    oldest = feeder.oldest
    parts = [f"{feeder.waiting} groups waiting, {feeder.running} running"]
    if oldest is not None:
        parts.append(f"the oldest is {oldest[0]}, for {oldest[1]:.0f} s")
    return ", ".join(parts)

"""Synchronous training: collect, update, publish, evaluate, one after the other.

Every part of an iteration writes a file when it is done and is skipped if that file exists, so a run that is killed at
any point resumes where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio.to_thread
import msgspec

from webgym.records.curve import AttemptResults, Iteration, UpdateSummary
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Trajectory
from webgym.run.training.averaged_weights import averaged_weights
from webgym.run.training.batches import check_lag, lags_of
from webgym.run.training.best_weights import evaluated_versions
from webgym.run.training.curriculum import of_iteration
from webgym.run.training.figures import learned, speed, tried
from webgym.run.training.folders import Folders
from webgym.run.training.iteration_batch import IterationBatchMaker
from webgym.run.training.run_length import RunLength
from webgym.stages import Trainer, Weights
from webgym.store.read import Run
from webgym.store.rows import Row
from webgym.train.batch_file import write_batch

Evaluate = Callable[[int, PolicyVersion], Awaitable[Sequence[Row]]]
"""Evaluates these weights after this iteration, and returns the rows of all attempts."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of synchronous training."""

    batch_maker: IterationBatchMaker
    trainer: Trainer
    weights: Weights
    evaluate: Evaluate
    store: Run
    """Reader of the training attempts, while they are being written."""
    folders: Folders


@dataclass(frozen=True, slots=True)
class Plan:
    """Length of the run, evaluation schedule and retention."""

    iterations: int
    every: int
    """Iterations between evaluations; 0: only the first and the last."""
    keep: int
    """Newest versions whose weights and batches are kept; fewer than 2 counts as 2."""
    pace: RunLength
    later: bool = False
    """Whether evaluations are deferred."""

    def evaluates(self, iteration: int, *, last: bool) -> bool:
        return last or bool(self.every and iteration % self.every == 0)

    def unevaluated(self, iterations: Sequence[Iteration]) -> list[Iteration]:
        """Return the iterations whose evaluation is due but missing."""
        newest = max((one.iteration for one in iterations), default=0)
        # A run resumed with fewer iterations than it has is past its end: only its newest iteration is the last.
        final = newest if newest >= self.iterations else None
        return [
            one
            for one in iterations
            if one.evaluation is None and self.evaluates(one.iteration, last=one.iteration == final)
        ]


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
    """A synchronous training run in progress."""

    def __init__(
        self,
        stages: Stages,
        plan: Plan,
        first: PolicyVersion,
        told: Callable[[Iteration], None],
        trained: Callable[[Iteration], None] = lambda _iteration: None,
    ) -> None:
        self._stages = stages
        self._plan = plan
        self._policy = first
        self._told = told
        self._trained = trained
        self._over: list[Iteration] = []
        self._began = time.time()

    async def run(self, done: Sequence[Iteration], until: int) -> None:
        """Run the iterations up to `until` that are not in `done`."""
        self._over = list(done)
        if not done and not self._plan.later:
            await self._before()
        following = done[-1].iteration + 1 if done else 1
        await self._remember(following)
        for iteration in range(following, min(until, self._plan.iterations) + 1):
            if await self._iterate(iteration):
                break

    async def _before(self) -> None:
        """Evaluate the initial policy."""
        clock = Clock()
        found = await self._evaluated(0, clock)
        self._end(_entry(0, self._policy.version, clock, evaluation=found))

    async def _remember(self, following: int) -> None:
        """Refill the replay buffer from earlier iterations."""
        batch_maker = self._stages.batch_maker
        for iteration in range(max(1, following - batch_maker.remembers), following):
            names = [row.attempt_id for row in await self._rows(iteration) if row.outcome is not None]
            found = await anyio.to_thread.run_sync(self._trajectories, names)
            batch_maker.remember(iteration, found)

    def _trajectories(self, names: Sequence[str]) -> list[Trajectory]:
        return [self._stages.store.trajectory(name) for name in names]

    async def _iterate(self, iteration: int) -> bool:
        """Run one iteration; return whether it is the last one."""
        clock = Clock()
        update = await self._update(iteration, clock)
        rows = await self._rows(iteration)
        last = self._plan.pace.is_last(iteration)
        train = tried([row for row in rows if row.outcome is not None])
        fast = speed(rows, self._began, clock.seconds.get("collect", 0.0))
        entry = _entry(iteration, self._policy.version, clock, train=train, update=update, fast=fast)
        if self._plan.evaluates(iteration, last=last) and not self._plan.later:
            self._trained(entry)
            found = await self._evaluated(iteration, clock)
            ended = time.time()
            entry = msgspec.structs.replace(entry, evaluation=found, seconds=dict(clock.seconds), ended=ended)
        self._end(entry)
        return last

    def _end(self, iteration: Iteration) -> None:
        self._over.append(iteration)
        self._tidy()
        self._told(iteration)

    async def _update(self, iteration: int, clock: Clock) -> UpdateSummary | None:
        """Collect a batch and update the policy; return None if there is nothing to learn from."""
        stages, version = self._stages, self._policy.version
        async with clock("collect"):
            made = await stages.batch_maker.make(iteration, version)
        if made.batch is None:
            return None
        if stages.batch_maker.remembers == 0:
            check_lag(made.batch)
        path = stages.folders.batch(version)
        if not path.exists():
            placed = msgspec.structs.replace(made.batch, done=self._plan.pace.done(iteration))
            await anyio.to_thread.run_sync(write_batch, path, placed)
        async with clock("sleep"):
            await stages.weights.rest()
        async with clock("learn"):
            trained = await stages.trainer.step(path, version, stages.folders.policy(version + 1))
        self._policy = trained.policy
        async with clock("wake"):
            await stages.weights.publish(trained.policy)
        return learned(trained, made.fates, lags_of(made.batch), made.lacking)

    async def _evaluated(self, iteration: int, clock: Clock) -> AttemptResults:
        async with clock("evaluate"):
            averaged = averaged_weights(self._policy)
            if averaged is None:
                return tried(await self._stages.evaluate(iteration, self._policy))
            await self._stages.weights.publish(averaged)
            rows = await self._stages.evaluate(iteration, averaged)
            await self._stages.weights.publish(self._policy)
            return tried(rows)

    async def _rows(self, iteration: int) -> list[Row]:
        rows = await anyio.to_thread.run_sync(self._stages.store.rows)
        return [row for row in rows if row.attempt_id.startswith(of_iteration(iteration))]

    def _tidy(self) -> None:
        newest = self._policy.version
        # Keep the previous version too: a resume needs it if this iteration is not in the curve yet.
        recent = range(newest - max(2, self._plan.keep) + 1, newest + 1)
        owed = {one.version for one in self._plan.unevaluated(self._over)}
        self._stages.folders.forget_policies({0, *recent, *owed, *evaluated_versions(self._over)})
        self._stages.folders.forget_batches(newest - max(2, self._plan.keep))


def _entry(
    iteration: int,
    version: int,
    clock: Clock,
    *,
    train: AttemptResults | None = None,
    update: UpdateSummary | None = None,
    evaluation: AttemptResults | None = None,
    fast: tuple[float, float] = (0.0, 0.0),
) -> Iteration:
    return Iteration(
        iteration=iteration,
        version=version,
        ended=time.time(),
        train=train,
        learned=update,
        evaluation=evaluation,
        seconds=dict(clock.seconds),
        steps_per_second=fast[0],
        tokens_per_second=fast[1],
    )

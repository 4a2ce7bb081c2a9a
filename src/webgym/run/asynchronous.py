"""Asynchronous training: what its loop works with. Rollouts and evaluations go on during updates."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webgym.concurrency import background
from webgym.rollout.pool import open_pool
from webgym.run.carried_manner import MannerWriter, manner_of
from webgym.run.evaluations.setup import evaluations_beside
from webgym.run.loop import LoopParts
from webgym.run.meter import Meter
from webgym.run.schedule import Schedule
from webgym.run.sources.open_streamed import streamed_groups
from webgym.run.sources.streamed import Meters
from webgym.run.training_resources import TrainingResources
from webgym.run.watch import Watch
from webgym.run.watched_stages import MeteredPolicy, WatchedTrainer, WatchedWeights, metered

_BACKLOG = 1
"""Queue limit of the pool: a group is submitted only when no attempt waits for a slot, so that it starts with the
newest weights."""


@asynccontextmanager
async def asynchronous(run: TrainingResources, schedule: Schedule, watch: Watch) -> AsyncGenerator[LoopParts]:
    """Open the pool of rollouts that never wait for an update, and everything that runs beside it."""
    config = run.config
    meters = Meters(Meter(config.browser.sessions), Meter(), Meter())
    policy = MeteredPolicy(run.sampler.at(config.policy.temperature, config.seed), meters.inference)
    roll = metered(run.attempts.training(policy, run.writer, run.tasks), meters.browser)
    trainer = WatchedTrainer(MannerWriter(run.trainer, manner_of(config)), run.prepare, watch, meters.trainer)
    async with (
        open_pool(roll, run.events, slots=config.browser.sessions, backlog=_BACKLOG) as pool,
        background() as tasks,
    ):
        tasks.start_soon(watch.run)
        if run.is_left:
            tasks.start_soon(trainer.get_ready)
        yield LoopParts(
            source=await streamed_groups(run, pool, watch, meters),
            trainer=trainer,
            weights=WatchedWeights(run.sampler.weights, watch),
            evaluations=evaluations_beside(run, schedule, watch),
            curve=run.curve,
            schedule=schedule,
            folders=run.folders,
            model=run.model,
        )

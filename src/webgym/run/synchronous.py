"""Synchronous training: what its loop works with. Nothing goes on during updates, and the sampler rests."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio.to_thread

from webgym.rollout.pool import open_pool
from webgym.rollout.run_all import StragglerRule
from webgym.run.batches import BatchMaker
from webgym.run.carried_manner import MannerWriter, manner_of
from webgym.run.evaluations.setup import evaluations_in_turn
from webgym.run.loop import LoopParts
from webgym.run.schedule import Schedule
from webgym.run.sources.collect import Rollouts
from webgym.run.sources.curriculum import Standing, Worth, informative, standing_of
from webgym.run.sources.in_turn import in_turn
from webgym.run.sources.pool_filter import sift_of
from webgym.run.training_resources import TrainingResources
from webgym.run.vocabulary import vocabulary_of


@asynccontextmanager
async def synchronous(run: TrainingResources, schedule: Schedule) -> AsyncGenerator[LoopParts]:
    """Open the pool of rollouts that each iteration waits for."""
    config = run.config
    roll = run.attempts.training(run.sampler.at(config.policy.temperature, config.seed), run.writer, run.tasks)
    async with open_pool(roll, run.events, slots=config.browser.sessions) as pool:
        rollouts = Rollouts(
            pool,
            run.tasks,
            run.store.trajectory,
            over(run),
            config.seed,
            await anyio.to_thread.run_sync(_worth, run),
            await anyio.to_thread.run_sync(sift_of, run),
            StragglerRule(config.pool.threshold, config.pool.grace_seconds),
            run.store.rows,
        )
        yield LoopParts(
            source=in_turn(
                config.train.whole(),
                rollouts,
                BatchMaker(vocabulary_of(run.model), run.store.lacking, run.folders),
                shuffles=config.control == "shuffled-rewards",
                size=schedule.length.groups,
            ),
            trainer=MannerWriter(run.trainer, manner_of(config)),
            weights=run.sampler.weights,
            evaluations=evaluations_in_turn(run, schedule),
            curve=run.curve,
            schedule=schedule,
            folders=run.folders,
            model=run.model,
        )


def over(run: TrainingResources) -> Callable[[], frozenset[str]]:
    """Return a function that tells which attempts are not made again.

    Those that were lost are, unless their iteration has its batch already: the update may be of that batch.
    """
    writer = run.writer
    if not run.folders.batch(run.policy.version).exists():
        return writer.finished
    lost = writer.lost()
    return lambda: writer.finished() | lost


def _worth(run: TrainingResources) -> Worth | None:
    learns = run.config.train
    if learns.curriculum == "uniform":
        return None
    standing = Standing(run.tasks, learns.half_life, learns.sharpness)
    return informative(standing_of(standing, learns.tried, run.folders.tried), run.store.rows)

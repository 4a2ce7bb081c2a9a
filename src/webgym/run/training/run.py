"""Start or resume a training run from its configuration."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio.to_thread

from webgym.curves.file import read
from webgym.records.curve import Iteration
from webgym.rollout.pool import open_pool
from webgym.rollout.run_all import StragglerRule
from webgym.run.engine import engine_settings
from webgym.run.training.about import keep_end
from webgym.run.training.averaged_weights import evaluated_weights
from webgym.run.training.carried_manner import MannerWriter, manner_of
from webgym.run.training.collect import Rollouts
from webgym.run.training.config import TrainConfig
from webgym.run.training.curriculum import Standing, Worth, informative, standing_of
from webgym.run.training.devices import with_devices
from webgym.run.training.evaluate import Evaluator
from webgym.run.training.figures import trained_seconds, tried
from webgym.run.training.flow.evaluation_sampler import check_evaluations
from webgym.run.training.flow.run import flow, needs_of, watch_for
from webgym.run.training.folders import Folders
from webgym.run.training.iteration_batch import IterationBatchMaker
from webgym.run.training.loop import Loop, Plan, Stages
from webgym.run.training.owed import enter, owed
from webgym.run.training.run_length import RunLength, run_length
from webgym.run.training.startup import Audience, Needs, Opened, opened
from webgym.run.vocabulary import vocabulary_of
from webgym.store.meta import RunMeta


async def train(
    config: TrainConfig,
    folder: Path,
    meta: RunMeta | None,
    audience: Audience,
    until: int,
    pace: RunLength | None = None,
) -> list[Iteration]:
    """Run the remaining iterations up to `until` and return all of them. Without `meta` the run must exist already.

    `pace` may end the run earlier.
    """
    folders = Folders(folder)
    iterations = read(folders.curve)
    pace = pace or run_length(config.iterations, config.minutes, trained_seconds(iterations))
    left = max((one.iteration for one in iterations), default=0) < min(until, config.iterations)
    config = await anyio.to_thread.run_sync(partial(with_devices, config, trains=left))
    if config.train.mode == "async":
        if not config.evaluate.later:
            await check_evaluations(config)
        watch = watch_for(config, audience)
        async with opened(config, folders, meta, audience, iterations, needs_of(config, watch), pace.planned) as run:
            await flow(run, watch, until, pace)
            keep_end(run.folders, whole=until >= config.iterations)
        return iterations
    needs = Needs(engine_settings(config.policy), config.browser.sessions, early=not left)
    async with opened(config, folders, meta, audience, iterations, needs, pace.planned) as run:
        await in_turn(run, until, pace)
        keep_end(run.folders, whole=until >= config.iterations)
    return iterations


def _worth(run: Opened) -> Worth | None:
    learns = run.config.train
    if learns.curriculum == "uniform":
        return None
    standing = Standing(run.tasks, learns.half_life, learns.sharpness)
    return informative(standing_of(standing, learns.tried, run.folders.tried), run.store.rows)


async def in_turn(run: Opened, until: int, pace: RunLength) -> None:
    """Train synchronously up to iteration `until`."""
    config, policy = run.config, run.config.policy
    wiring = run.wiring
    roll = wiring.training(run.sampler.at(policy.temperature, config.seed), run.writer, run.tasks)
    test = wiring.evaluation(lambda: run.sampler.at(config.evaluate.temperature, config.seed), run.tests)
    async with open_pool(roll, run.events, slots=config.browser.sessions) as pool:
        worth = await anyio.to_thread.run_sync(_worth, run)
        sift = await anyio.to_thread.run_sync(run.sift)
        completion = StragglerRule(config.pool.threshold, config.pool.grace_seconds)
        rollouts = Rollouts(pool, run.tasks, run.store.trajectory, over(run), config.seed, worth, sift, completion)
        evaluate = Evaluator(
            config=config,
            tasks=run.tests,
            folders=run.folders,
            meta=run.writer.meta,
            wire=test,
            events=run.events,
            trained_on=run.store,
            writing=run.shown.write,
            told=run.audience.evaluating,
            pace=pace,
        )
        stages = Stages(
            IterationBatchMaker(
                config.train.whole(),
                rollouts,
                vocabulary_of(run.model),
                shuffles=config.control == "shuffled-rewards",
                size=pace.groups,
            ),
            MannerWriter(run.trainer, manner_of(config)),
            run.sampler.weights,
            evaluate,
            run.store,
            run.folders,
        )
        plan = Plan(config.iterations, config.evaluate.every, config.train.keep, pace, config.evaluate.later)
        if run.iterations and not plan.later:
            await make_owed(run, plan, evaluate)
        await Loop(stages, plan, run.policy, run.tell, run.audience.trained).run(tuple(run.iterations), until)


def over(run: Opened) -> Callable[[], frozenset[str]]:
    """Return a function that tells which attempts are not made again.

    Those that were lost are, unless their iteration has its batch already: the update may be of that batch.
    """
    writer = run.writer
    if not run.folders.batch(run.policy.version).exists():
        return writer.finished
    lost = writer.lost()
    return lambda: writer.finished() | lost


async def make_owed(run: Opened, plan: Plan, evaluate: Evaluator) -> None:
    """Run the missing evaluations before training continues, with the weights that it had."""
    weights = run.sampler.weights
    for iteration, policy in owed(run.iterations, plan, run.folders, run.model):
        await weights.publish(evaluated_weights(policy))
        found = tried(await evaluate(iteration, policy))
        enter(run, iteration, policy, found)
        run.audience.ended(next(one for one in run.iterations if one.iteration == iteration))
    await weights.publish(run.policy)

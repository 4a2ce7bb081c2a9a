"""Asynchronous training: the stages of synchronous training, wired to run concurrently."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec

from webgym.buffer.groups import BatchRequirements
from webgym.buffer.staleness import Pace as Ahead
from webgym.errors import ConfigError
from webgym.records.curve import Iteration
from webgym.records.prompt import Completion, Prompt
from webgym.records.sample import TrainingResult
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import Pool, Roll, open_pool
from webgym.run.engine import engine_settings
from webgym.run.training.best_weights import evaluated_versions
from webgym.run.training.carried_manner import MannerWriter, manner_of
from webgym.run.training.config import TrainConfig
from webgym.run.training.curriculum import Standing, standing_of
from webgym.run.training.flow.batch_maker import BatchMaker
from webgym.run.training.flow.evaluation_setup import evaluation_sessions, evaluations_of, owe
from webgym.run.training.flow.feeder import Feeder
from webgym.run.training.flow.groups import Groups
from webgym.run.training.flow.loop import FlowLoop, FlowStages, Meters
from webgym.run.training.flow.meter import Meter
from webgym.run.training.flow.settled_groups import Settled, SettledGroups
from webgym.run.training.flow.stream import adaptive_stream, stream
from webgym.run.training.flow.watch import Watch
from webgym.run.training.loop import Plan
from webgym.run.training.run_length import RunLength
from webgym.run.training.startup import Audience, Needs, Opened, Prepare
from webgym.run.vocabulary import vocabulary_of
from webgym.stages import Policy, Trainer
from webgym.train.process import TrainerProcess
from webgym.train.recipe import GroupSource

_BACKLOG = 1
"""Queue limit of the pool: a group is submitted only when no attempt waits for a slot, so that it starts with the
newest weights."""


def watch_for(config: TrainConfig, audience: Audience) -> Watch:
    """Return the watchdog of a run."""
    flow = config.train.flow
    return Watch(audience.say, flow.stuck_seconds, flow.give_up_seconds)


def needs_of(config: TrainConfig, watch: Watch) -> Needs:
    """Return what asynchronous training needs; sessions of evaluations are added to those of training."""
    engine = msgspec.structs.replace(engine_settings(config.policy), in_flight=config.train.flow.in_flight)
    return Needs(engine, config.browser.sessions + evaluation_sessions(config), (watch.happened,), early=True)


async def flow(run: Opened, watch: Watch, until: int, pace: RunLength) -> None:
    """Train asynchronously up to iteration `until`."""
    config, source = run.config, _source(run.config)
    if short := _short_of(config, source):
        run.audience.say(short)
    meters = Meters(Meter(config.browser.sessions), Meter(), Meter())
    wiring = run.wiring
    policy = Metered(run.sampler.at(config.policy.temperature, config.seed), meters.inference)
    roll = _metered(wiring.training(policy, run.writer, run.tasks), meters.browser)
    groups = Groups(run, source)
    settled_groups = SettledGroups(run.folders)
    settled = await anyio.to_thread.run_sync(settled_groups.read)
    # Images of a group may be evicted only after the iteration that settled it: until then a batch may need them.
    done = {name for iteration, one in settled.items() if iteration < _following(run) for name in one.fates}
    run.writer.keep(lambda group: group not in done)
    learns = config.train
    standing = Standing(run.tasks, learns.half_life, learns.sharpness)
    await anyio.to_thread.run_sync(standing_of, standing, learns.tried, run.folders.tried)
    plan = Plan(config.iterations, config.evaluate.every, config.train.keep, pace, config.evaluate.later)
    evaluations = evaluations_of(run, wiring, watch, pace)
    trainer = Readied(MannerWriter(run.trainer, manner_of(config)), run.prepare)
    async with open_pool(roll, run.events, slots=config.browser.sessions, backlog=_BACKLOG) as pool:
        stages = FlowStages(
            feeder=feeder_of(run, pool, source, groups, settled, standing),
            maker=BatchMaker(
                source,
                vocabulary_of(run.model),
                config.train.whole().loss.needs_behaviour,
                run.store.lacking,
                run.folders,
            ),
            trainer=trainer,
            weights=run.sampler.weights,
            evaluations=evaluations,
            settled_groups=settled_groups,
            again=groups.again,
            rows=groups.rows,
            folders=run.folders,
            watch=watch,
            meters=meters,
            restarts=lambda: _restarts(run),
            kept=lambda: evaluated_versions(run.iterations) | _put_off(run, plan),
        )
        owe(run, plan, evaluations)

        def tell(iteration: Iteration, fates: Collection[str]) -> None:
            run.tell(iteration)
            done.update(fates)

        async with anyio.create_task_group() as tasks:
            if _following(run) <= min(until, config.iterations):
                tasks.start_soon(trainer.get_ready)
            await FlowLoop(stages, plan, run.policy, tell).run(tuple(run.iterations), until)
            tasks.cancel_scope.cancel()


class Readied:
    """A trainer that loads while the first rollouts run: it is not needed before the first batch."""

    def __init__(self, inner: Trainer, prepare: Prepare) -> None:
        self._inner = inner
        self._prepare = prepare
        self._ready = anyio.Event()

    async def get_ready(self) -> None:
        """Wait until the trainer is ready. An error ends the run early."""
        await self._prepare()
        self._ready.set()

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        await self._ready.wait()
        return await self._inner.step(batch, version, folder)


def feeder_of(
    run: Opened,
    pool: Pool,
    source: GroupSource,
    groups: Groups,
    settled: Mapping[int, Settled],
    standing: Standing,
) -> Feeder:
    """Return a feeder that begins, or goes on, with the groups that no iteration has settled."""
    config = run.config
    names = frozenset(name for one in settled.values() for name in one.fates)
    feeder = Feeder(
        pool,
        run.sift()(_stream(run, source.members, names, standing)),
        groups.load,
        BatchRequirements(
            source.groups, source.advantages, source.partial, source.max_lag, refill=source.refill, probe=source.probe
        ),
        Ahead(source.groups, source.max_lag, config.browser.sessions, config.train.flow.depth),
        version=run.policy.version,
        over=run.writer.finished(),
    )
    feeder.ended = standing.note
    return feeder


def _stream(run: Opened, members: int, settled: Collection[str], standing: Standing) -> Iterator[tuple[Attempt, ...]]:
    seed = run.config.seed
    if run.config.train.curriculum == "uniform":
        return stream(run.tasks, members, seed, settled)
    rows = run.store.rows()
    for row in rows:
        if row.group in settled:  # the others are loaded, and counted, again
            standing.add(row.task_id, row.reward)
    begun = {row.group for row in rows}
    return adaptive_stream(run.tasks, members, seed, standing.worth, settled=settled, begun=begun)


@dataclass(frozen=True, slots=True)
class Metered:
    """A policy that measures its utilisation."""

    inner: Policy
    meter: Meter

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        with self.meter.one():
            return await self.inner.sample(prompt, pictures, affinity=affinity)


def _metered(roll: Roll, meter: Meter) -> Roll:
    async def one(attempt: Attempt) -> Ending:
        with meter.one():
            return await roll(attempt)

    return one


def _following(run: Opened) -> int:
    """Return the first iteration that is not in the curve."""
    return max((one.iteration for one in run.iterations), default=0) + 1


def _put_off(run: Opened, plan: Plan) -> set[int]:
    """Return the versions whose evaluation is deferred."""
    return {one.version for one in plan.unevaluated(run.iterations)} if plan.later else set()


def _restarts(run: Opened) -> dict[str, int]:
    found = {"engine": run.sampler.restarts()}
    return {**found, "trainer": run.trainer.restarts} if isinstance(run.trainer, TrainerProcess) else found


def _source(config: TrainConfig) -> GroupSource:
    source = config.train.whole().source
    if not isinstance(source, GroupSource):
        raise ConfigError("asynchronous training needs a recipe that learns from groups")
    return source


def _short_of(config: TrainConfig, source: GroupSource) -> str:
    """Return a warning if the lag or depth leaves browser sessions permanently idle, else an empty string."""
    depth = min(config.train.flow.depth or source.max_lag + 1, source.max_lag + 1)
    attempts = int(depth * source.groups * (source.probe or source.members))
    if attempts >= config.browser.sessions:
        return ""
    return (
        f"{config.browser.sessions} sessions for at most {attempts} concurrent attempts: some will always be idle; "
        "raise train.flow.depth, train.source.max_lag or train.source.groups"
    )

"""Wire the source of asynchronous training: begin, or go on, with the groups that no iteration has settled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import anyio.to_thread

from webgym.buffer.groups import BatchRequirements
from webgym.buffer.staleness import Pace
from webgym.errors import ConfigError
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import Pool
from webgym.run.batches import BatchMaker
from webgym.run.sources.curriculum import Standing, standing_of
from webgym.run.sources.feeder import Feeder, Load
from webgym.run.sources.pool_filter import sift_of
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.sources.stored_groups import StoredGroups
from webgym.run.sources.stream import adaptive_stream, stream
from webgym.run.sources.streamed import Meters, StreamedGroups
from webgym.run.train_config import TrainConfig
from webgym.run.training_resources import TrainingResources
from webgym.run.vocabulary import vocabulary_of
from webgym.run.watch import Watch
from webgym.train.process import TrainerProcess
from webgym.train.recipe import GroupSource


async def streamed_groups(run: TrainingResources, pool: Pool, watch: Watch, meters: Meters) -> StreamedGroups:
    """Return the source of an asynchronous run, whose rollouts are made by this pool."""
    config, source = run.config, _source(run.config)
    if short := _short_of(config, source):
        run.progress.on_message(short)
    groups = StoredGroups(run.store, source, config.seed, shuffles=config.control == "shuffled-rewards")
    settled_groups = SettledGroups(run.folders)
    settled = await anyio.to_thread.run_sync(settled_groups.read)
    # Images of a group may be evicted only after the iteration that settled it: until then a batch may need them.
    done = {name for number, one in settled.items() if number <= run.curve.newest for name in one.fates}
    run.writer.keep(lambda group: group not in done)
    learns = config.train
    standing = Standing(run.tasks, learns.half_life, learns.sharpness)
    await anyio.to_thread.run_sync(standing_of, standing, learns.tried, run.folders.tried)
    return StreamedGroups(
        feeder=feeder_of(run, pool, source, groups.load, settled, standing),
        source=source,
        maker=BatchMaker(vocabulary_of(run.model), run.store.lacking, run.folders),
        logprobs=config.train.whole().loss.needs_behaviour,
        settled_groups=settled_groups,
        again=groups.again,
        rows_of=groups.rows,
        watch=watch,
        meters=meters,
        restarts=lambda: _restarts(run),
        let_go=done.update,
    )


def feeder_of(
    run: TrainingResources,
    pool: Pool,
    source: GroupSource,
    load: Load,
    settled: Mapping[int, IterationSettlement],
    standing: Standing,
) -> Feeder:
    """Return a feeder that begins, or goes on, with the groups that no iteration has settled."""
    config = run.config
    names = frozenset(name for one in settled.values() for name in one.fates)
    feeder = Feeder(
        pool,
        sift_of(run)(_stream(run, source.members, names, standing)),
        load,
        BatchRequirements(
            source.groups, source.advantages, source.partial, source.max_lag, refill=source.refill, probe=source.probe
        ),
        Pace(source.groups, source.max_lag, config.browser.sessions, config.train.flow.depth),
        version=run.policy.version,
        over=run.writer.finished(),
    )
    feeder.ended = standing.note
    return feeder


def _stream(
    run: TrainingResources, members: int, settled: Collection[str], standing: Standing
) -> Iterator[tuple[Attempt, ...]]:
    seed = run.config.seed
    if run.config.train.curriculum == "uniform":
        return stream(run.tasks, members, seed, settled)
    rows = run.store.rows()
    for row in rows:
        if row.group in settled:  # the others are loaded, and counted, again
            standing.add(row.task_id, row.reward)
    begun = {row.group for row in rows}
    return adaptive_stream(run.tasks, members, seed, standing.worth, settled=settled, begun=begun)


def _restarts(run: TrainingResources) -> dict[str, int]:
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

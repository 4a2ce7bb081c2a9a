"""The two training modes: our own loop, with simulated engine and trainer processes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import anyio.to_thread

from webgym.buffer.groups import BatchRequirements, Group, ScoredGroup
from webgym.buffer.staleness import Pace
from webgym.concurrency import background
from webgym.errors import TrainingError
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import Pool, open_pool
from webgym.run.batches import BatchMaker
from webgym.run.curve_log import CurveLog
from webgym.run.engine_weights import EngineWeights
from webgym.run.evaluations.evaluations import EvaluationsInTurn
from webgym.run.loop import Loop, LoopParts
from webgym.run.meter import Meter
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import BatchSource
from webgym.run.sources.collect import Rollouts
from webgym.run.sources.feeder import Feeder
from webgym.run.sources.in_turn import in_turn
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.sources.stream import stream
from webgym.run.sources.streamed import Meters, StreamedGroups
from webgym.run.vocabulary import vocabulary_of
from webgym.run.watch import Watch
from webgym.store.rows import Row
from webgym_bench.flow.engine import Statistics
from webgym_bench.flow.stage import FlowStage, Log, Nobody

_KEEP = 2
_STUCK_SECONDS = 60.0
_GIVE_UP_SECONDS = 300.0


async def synchronous(stage: FlowStage, updates: int) -> tuple[Log, Statistics]:
    """Train synchronously: collect a batch to its last attempt, stop inference, train, restart inference, repeat."""
    async with open_pool(stage.roll, Nobody(), slots=stage.conditions.browsers) as pool:
        rollouts = Rollouts(pool, stage.tasks, stage.store.trajectory, stage.writer.finished, 0, rows=stage.store.rows)
        source = in_turn(stage.recipe, rollouts, _maker(stage))
        stage.log.begin()
        await Loop(_parts(stage, source, updates), stage.first).run(updates)
    return stage.log, await stage.statistics()


async def asynchronous(stage: FlowStage, updates: int) -> tuple[Log, Statistics]:
    """Train asynchronously: no rollout waits for an update, no update for stragglers, and weights refresh in flight."""
    async with (
        open_pool(stage.roll, Nobody(), slots=stage.conditions.browsers, backlog=1) as pool,
        background() as tasks,
    ):
        watch = Watch(_say_nothing, _STUCK_SECONDS, _GIVE_UP_SECONDS)
        tasks.start_soon(watch.run)
        source = StreamedGroups(
            feeder=_feeder(stage, pool),
            source=stage.source,
            maker=_maker(stage),
            logprobs=stage.recipe.loss.needs_behaviour,
            settled_groups=SettledGroups(stage.folders),
            again=_never_again,
            rows_of=_no_rows,
            watch=watch,
            meters=Meters(Meter(), Meter(), Meter()),
            restarts=dict[str, int],
        )
        await Loop(_parts(stage, source, updates), stage.first).run(updates)
        pool.close()
        pool.cancel()
    return stage.log, await stage.statistics()


def _parts(stage: FlowStage, source: BatchSource, updates: int) -> LoopParts:
    weights = EngineWeights(stage.engine)
    return LoopParts(
        source=source,
        trainer=stage.trainer,
        weights=weights,
        evaluations=EvaluationsInTurn(_no_evaluation, _evaluated, weights),
        curve=CurveLog(stage.folders.curve, [], (), stage.log),
        schedule=Schedule(updates, 0, _KEEP, PlannedLength(updates), later=True),
        folders=stage.folders,
        model=stage.folders.policy(0),
    )


def _maker(stage: FlowStage) -> BatchMaker:
    return BatchMaker(vocabulary_of(stage.folders.policy(0)), stage.store.lacking, stage.folders)


def _feeder(stage: FlowStage, pool: Pool) -> Feeder:
    conditions, source = stage.conditions, stage.source
    trajectory = stage.store.trajectory

    async def load(attempts: tuple[Attempt, ...]) -> Group:
        members = await anyio.to_thread.run_sync(lambda: tuple(trajectory(one.attempt_id) for one in attempts))
        return Group(attempts[0].group, members)

    return Feeder(
        pool,
        stream(stage.tasks, source.members, 0),
        load,
        BatchRequirements(source.groups, source.advantages, source.partial, source.max_lag, refill=source.refill),
        Pace(source.groups, source.max_lag, conditions.browsers, conditions.depth or None),
    )


async def _no_evaluation(iteration: int, policy: PolicyVersion) -> list[Row]:
    """Evaluate nothing, in either mode."""
    del iteration, policy
    return []


def _evaluated(iteration: int, policy: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
    del iteration, policy, rows, seconds


async def _never_again(settled: IterationSettlement) -> tuple[ScoredGroup, ...]:
    raise TrainingError(f"benchmark iteration {settled.iteration} was already run")


def _no_rows(names: Collection[str]) -> list[Row]:
    del names
    return []


def _say_nothing(text: str) -> None:
    del text

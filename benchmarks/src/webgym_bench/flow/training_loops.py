"""The two training modes: our own loops, with simulated engine and trainer processes."""

from __future__ import annotations

from collections.abc import Sequence

import anyio.to_thread

from webgym.buffer.groups import BatchRequirements, Group, ScoredGroup
from webgym.buffer.staleness import Pace as Ahead
from webgym.errors import TrainingError
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt
from webgym.rollout.pool import Pool, open_pool
from webgym.run.training.collect import Rollouts
from webgym.run.training.flow.batch_maker import BatchMaker
from webgym.run.training.flow.evaluations import Evaluations
from webgym.run.training.flow.feeder import Feeder
from webgym.run.training.flow.loop import FlowLoop, FlowStages, Meters
from webgym.run.training.flow.meter import Meter
from webgym.run.training.flow.settled_groups import Settled, SettledGroups
from webgym.run.training.flow.stream import stream
from webgym.run.training.flow.watch import Watch
from webgym.run.training.iteration_batch import IterationBatchMaker
from webgym.run.training.loop import Loop, Plan, Stages
from webgym.run.training.run_length import Planned
from webgym.run.training.weights import EngineWeights
from webgym.run.vocabulary import vocabulary_of
from webgym.store.rows import Row
from webgym_bench.flow.engine import Statistics
from webgym_bench.flow.stage import FlowStage, Log, Nobody

_KEEP = 2
_STUCK_SECONDS = 60.0
_GIVE_UP_SECONDS = 300.0


async def synchronous(stage: FlowStage, updates: int) -> tuple[Log, Statistics]:
    """Train synchronously: collect a batch to its last attempt, stop inference, train, restart inference, repeat."""
    conditions = stage.conditions
    async with open_pool(stage.roll, Nobody(), slots=conditions.browsers) as pool:
        rollouts = Rollouts(pool, stage.tasks, stage.store.trajectory, stage.writer.finished, 0)
        stages = Stages(
            IterationBatchMaker(stage.recipe, rollouts, vocabulary_of(stage.folders.policy(0))),
            stage.trainer,
            EngineWeights(stage.engine),
            _no_evaluation,
            stage.store,
            stage.folders,
        )
        plan = Plan(updates, 0, _KEEP, Planned(updates))
        await Loop(stages, plan, stage.first, stage.log.tell).run((), updates)
    return stage.log, await stage.statistics()


async def asynchronous(stage: FlowStage, updates: int) -> tuple[Log, Statistics]:
    """Train asynchronously: no rollout waits for an update, no update for stragglers, and weights refresh in flight."""
    conditions = stage.conditions
    async with open_pool(stage.roll, Nobody(), slots=conditions.browsers, backlog=1) as pool:
        watch = Watch(_say_nothing, _STUCK_SECONDS, _GIVE_UP_SECONDS)
        stages = FlowStages(
            feeder=_feeder(stage, pool),
            maker=BatchMaker(
                stage.source,
                vocabulary_of(stage.folders.policy(0)),
                stage.recipe.loss.needs_behaviour,
                stage.store.lacking,
                stage.folders,
            ),
            trainer=stage.trainer,
            weights=EngineWeights(stage.engine),
            evaluations=Evaluations(_no_evaluation, _evaluated, _say_nothing),
            settled_groups=SettledGroups(stage.folders),
            again=_never_again,
            rows=lambda _: (),
            folders=stage.folders,
            watch=watch,
            meters=Meters(Meter(), Meter(), Meter()),
            restarts=dict[str, int],
        )
        plan = Plan(updates, 0, _KEEP, Planned(updates))
        await FlowLoop(stages, plan, stage.first, stage.log.tell).run((), updates)
        pool.close()
        pool.cancel()
    return stage.log, await stage.statistics()


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
        Ahead(source.groups, source.max_lag, conditions.browsers, conditions.depth or None),
    )


async def _no_evaluation(iteration: int, policy: PolicyVersion) -> list[Row]:
    """Evaluate nothing, in either mode."""
    del iteration, policy
    return []


def _evaluated(iteration: int, policy: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
    del iteration, policy, rows, seconds


async def _never_again(settled: Settled) -> tuple[ScoredGroup, ...]:
    raise TrainingError(f"benchmark iteration {settled.iteration} was already run")


def _say_nothing(text: str) -> None:
    del text

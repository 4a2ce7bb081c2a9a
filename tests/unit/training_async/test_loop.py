"""The loop with sleeping fakes: learns while rollouts go on, publishes, tells, and goes on where it was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from tests.unit.training_async.test_feeder import World, feeder_of, names_of, settled_down

from webgym.buffer.groups import ScoredGroup
from webgym.errors import ConfigError, PolicyUnavailable, StoreError, TrainingError
from webgym.records.curve import Iteration
from webgym.records.event import OperationStarted, StepDecided
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.rollout.pool import open_pool
from webgym.run.batches import BuiltBatch
from webgym.run.curve_log import CurveLog
from webgym.run.evaluations.beside import EvaluationsBeside
from webgym.run.folders import Folders
from webgym.run.loop import Loop, LoopParts
from webgym.run.meter import Meter
from webgym.run.progress import NoProgress
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import Harvest
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.sources.streamed import Meters, StreamedGroups
from webgym.run.watch import Watch
from webgym.run.watched_stages import WatchedWeights
from webgym.store.rows import Row
from webgym.testing.rollouts import EventList
from webgym.train.recipe import GroupSource

pytestmark = pytest.mark.anyio


@dataclass
class Bench:
    """Trainer, weights, batches and evaluations that take a moment and write down what they were asked."""

    world: World
    fails: int = 0
    """Times that publishing fails."""
    learned: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    published: list[int] = field(default_factory=list)
    evaluated: list[tuple[int, int]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    ended_meanwhile: int = 0
    evaluates_until: int = 1
    """The first evaluation takes until so many iterations are told."""
    told: list[Iteration] = field(default_factory=list)
    batch: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    """Attempts of every iteration."""
    later: bool = False
    members: int = 2
    probe: int = 0

    def make(self, groups: Sequence[ScoredGroup], version: int, done: float = 0.0) -> BuiltBatch | None:
        self.batch = tuple(group.name for group in groups)
        return BuiltBatch(Path(f"batch-{version}"), {0: 5, 1: 5}, 0)

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        before = len(self.world.kept)
        self.world.let_go.set()
        while self.world.hold and not self.ended_meanwhile:
            await anyio.sleep(0.001)
            self.ended_meanwhile = len(self.world.kept) - before
        self.learned.append((version, self.batch))
        return TrainingResult(PolicyVersion(version + 1, str(folder)), 3, 30, 1, 1e-5, 0.05, {"loss": 0.1})

    async def rest(self) -> None:
        raise AssertionError("asynchronous training never lets the sampler rest")

    async def publish(self, policy: PolicyVersion) -> None:
        if self.fails:
            self.fails -= 1
            raise PolicyUnavailable("it died")
        self.published.append(policy.version)
        self.world.version = policy.version

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> Sequence[Row]:
        while iteration == 0 and len(self.told) < self.evaluates_until:
            await anyio.sleep(0.01)
        self.evaluated.append((iteration, policy.version))
        return ()


class Curve(CurveLog):
    """Keeps what is told in memory, as test doubles do not evaluate for real."""

    def note(self, iteration: Iteration, *, evaluation_follows: bool = False) -> None:
        assert not evaluation_follows
        self.iterations.append(iteration)


class Streamed(StreamedGroups):
    """Makes the batches that `Bench` pretends to make."""

    def batch(self, harvest: Harvest, version: int, done: float) -> BuiltBatch | None:
        assert harvest.names
        return self.maker.make(harvest.groups, version, done) if harvest.groups else None


async def run(
    stages: Bench, folder: Path, until: int, done: Sequence[Iteration] = (), told: list[Iteration] | None = None
) -> list[Iteration]:
    """What was told, which `told` holds also if this raises."""
    told = stages.told = list(done) if told is None else told
    world, folders = stages.world, Folders(folder)
    settled_groups = SettledGroups(folders)
    settled = settled_groups.read()

    async def again(settled: IterationSettlement) -> tuple[ScoredGroup, ...]:
        return tuple(ScoredGroup(name, ()) for name in settled.groups)

    def rows(names: Collection[str]) -> list[Row]:
        del names
        return stages.rows

    version = done[-1].version if done else 0
    world.version = version
    watch = Watch(stages.said.append, 60, 120)
    meters = Meters(Meter(4), Meter(), Meter())
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool:
        parts = LoopParts(
            source=Streamed(
                feeder=feeder_of(
                    world,
                    pool,
                    lag=2,
                    settled=frozenset(name for one in settled.values() for name in one.fates),
                    members=stages.members,
                    probe=stages.probe,
                ),
                source=GroupSource(),
                maker=stages,
                logprobs=True,
                settled_groups=settled_groups,
                again=again,
                rows_of=rows,
                watch=watch,
                meters=meters,
                restarts=lambda: {"engine": 0},
            ),
            trainer=stages,
            weights=WatchedWeights(stages, watch),
            evaluations=EvaluationsBeside(stages.evaluate, lambda *_: None, stages.said.append),
            curve=Curve(folders.curve, told, (), NoProgress()),
            schedule=Schedule(until, 2, 2, PlannedLength(until), stages.later),
            folders=folders,
            model=folder / "model",
        )
        with anyio.fail_after(60):
            await Loop(parts, PolicyVersion(version, "model")).run(until)
    return told


async def test_rollouts_go_on_while_the_trainer_learns_and_evaluations_block_nobody(tmp_path):
    stages = Bench(World())
    stages.world.hold = set(names_of(6)[2:])  # nothing but the first batch ends before it is learned from
    stages.evaluates_until = 4
    told = await run(stages, tmp_path, 4)
    assert [one.iteration for one in told] == [1, 2, 3, 4]
    assert [version for version, _ in stages.learned] == [0, 1, 2, 3]
    assert stages.published == [1, 2, 3, 4]
    assert stages.ended_meanwhile > 0
    # The first and the last are made whatever happens; the one between them had to make way.
    assert stages.evaluated == [(0, 0), (4, 4)]
    assert any("skipping" in line for line in stages.said)
    for one in told:
        assert one.flow is not None
        assert one.flow.idle.keys() == {"browser", "inference", "trainer"}
        assert {"wait", "batch", "learn", "publish"} <= one.seconds.keys()
        assert one.learned is not None
        assert one.learned.fates["kept"] == 2
        assert one.learned.lags == {0: 5, 1: 5}
    names = [name for _, groups in stages.learned for name in groups]
    assert len(names) == len(set(names)) == 8


async def test_a_sampler_that_dies_is_given_the_weights_again(tmp_path):
    stages = Bench(World(), fails=2)
    await run(stages, tmp_path, 1)
    assert stages.published == [1]


async def test_weights_that_nobody_takes_or_that_are_wrong_end_the_run():
    stages, watch = Bench(World(), fails=10**6), Watch([].append, 60, 120)
    with pytest.raises(TrainingError, match="version 7 were not loaded within 0 s: it died"):
        await WatchedWeights(stages, watch, seconds=0.01).publish(PolicyVersion(7, ""))

    class Refuses(Bench):
        async def publish(self, policy: PolicyVersion) -> None:
            raise ConfigError("of another shape")

    with pytest.raises(ConfigError):
        await WatchedWeights(Refuses(World()), watch).publish(PolicyVersion(7, ""))


async def test_after_a_crash_the_batch_that_was_decided_is_learned_from_and_no_other(tmp_path):
    first = Bench(World())
    told = await run(first, tmp_path, 2)
    # Killed after the third batch was decided: its groups, and what was learned before, are on disk.
    decided = IterationSettlement(3, 2, ("x", "y"), {"x": "kept", "y": "kept", "z": "stale"})
    SettledGroups(Folders(tmp_path)).write(decided)
    second = Bench(World())
    second.world.kept = dict(first.world.kept)
    after = await run(second, tmp_path, 4, told)
    assert [one.iteration for one in after] == [1, 2, 3, 4]
    assert second.learned[0] == (2, ("x", "y"))
    assert after[2].learned.fates == {"kept": 2, "stale": 1}
    names = [name for _, groups in (*first.learned, *second.learned) for name in groups]
    assert len(names) == len(set(names))
    assert not set(first.world.kept) & set(second.world.began)


class Ahead(Bench):
    """Counts the groups that began before each update ended."""

    def __init__(self) -> None:
        super().__init__(World())
        self.groups: list[int] = []

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        await settled_down()
        self.groups.append(len({attempt.rpartition("/")[0] for attempt in self.world.began}))
        return await super().step(batch, version, folder)


async def test_after_a_crash_rollouts_run_no_further_ahead_of_the_batch_that_was_decided(tmp_path):
    undisturbed, killed = Ahead(), Ahead()
    await run(undisturbed, tmp_path / "a", 1)
    SettledGroups(Folders(tmp_path / "b")).write(IterationSettlement(1, 0, ("x", "y"), {"x": "kept", "y": "kept"}))
    await run(killed, tmp_path / "b", 1)
    assert undisturbed.groups == [2 + 4], "its own batch, and as many as the lag of two updates allows"
    assert killed.groups == [4]


async def test_a_group_that_was_settled_twice_is_told(tmp_path):
    settled_groups = SettledGroups(Folders(tmp_path))
    settled_groups.write(IterationSettlement(1, 0, ("a",), {"a": "kept"}))
    assert settled_groups.read()[1].groups == ("a",)
    settled_groups.write(IterationSettlement(2, 1, ("a",), {"a": "kept"}))
    with pytest.raises(StoreError, match="group a was selected in iteration 1 and in 2"):
        settled_groups.read()
    (tmp_path / "settled" / "00002.json").write_bytes(b"{")
    with pytest.raises(StoreError, match="cannot be read"):
        settled_groups.read()


async def test_an_evaluation_that_fails_is_said_and_harms_nobody():
    said: list[str] = []

    async def fails(iteration: int, policy: PolicyVersion) -> Sequence[Row]:
        del iteration, policy
        raise ExceptionGroup("many", [ConfigError("no room for another engine")])

    evaluations = EvaluationsBeside(fails, lambda *_: None, said.append)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(evaluations.run)
        await evaluations.due(5, PolicyVersion(3, ""), PolicyVersion(4, ""), must=True)
        assert evaluations.pinned == {3}
        with anyio.fail_after(5):
            await evaluations.drained()
        tasks.cancel_scope.cancel()
    assert evaluations.pinned == set()
    assert said == ["the evaluation after iteration 5 failed; training continues: no room for another engine"]


def test_what_is_stuck_is_named_once_and_given_up_in_the_end():
    now = 0.0
    watch = Watch([].append, 10, 100, clock=lambda: now)
    with watch.rollouts(lambda: "3 groups run"), watch.during("the trainer"):
        watch.happened(OperationStarted("000004/t1/0", "infer", 2, 0.0))
        now = 9.0
        assert watch.stuck() == []
        watch.happened(StepDecided("000004/t1/1", 1, "click", "", "", ""))
        now = 12.0
        assert watch.stuck() == ["stuck? the trainer: no progress for 12 s"]
        now = 20.0
        [line] = watch.stuck()
        assert line.startswith("stuck? rollouts: no progress for 11 s; 1 attempts waiting, the longest in infer of ")
        assert line.endswith("000004/t1/0 for 20 s; 3 groups run")
        assert watch.stuck() == []
        now = 101.0
        with pytest.raises(TrainingError, match="the trainer: no progress for 101 s"):
            watch.stuck()
    assert watch.stuck() == []


def test_rollouts_that_wait_for_the_trainer_are_not_stuck():
    now, running = 0.0, 0
    watch = Watch([].append, 10, 100, clock=lambda: now)
    with watch.rollouts(lambda: "all wait", lambda: running > 0):
        now = 1000.0
        assert watch.stuck() == []
        running = 1
        now = 1009.0
        assert watch.stuck() == []
        now = 1010.0
        assert watch.stuck() == ["stuck? rollouts: no progress for 10 s; no attempt is active; all wait"]

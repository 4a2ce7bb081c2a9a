"""The last attempts of an iteration: given a little longer, then cancelled, and never taken for failures."""

from __future__ import annotations

import math
from types import SimpleNamespace

import anyio
import msgspec
import pytest
from tests.unit.store.making import META
from tests.unit.training.test_collect import Store, half, tasks

from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Ending, Success
from webgym.rollout.pool import FinishedGroup, open_pool
from webgym.rollout.run_all import StragglerRule
from webgym.run.config import PoolConfig, RunConfig
from webgym.run.evaluations.evaluator import Evaluator
from webgym.run.folders import Folders
from webgym.run.run import _completion
from webgym.run.run_length import PlannedLength
from webgym.run.sources.collect import IterationRollouts, Rollouts, collect_attempts, collect_groups
from webgym.run.train_config import TrainConfig
from webgym.testing.rollouts import EventList
from webgym.train.recipe import GroupSource

pytestmark = pytest.mark.anyio
SOON = 0.05


class Slow(Store):
    """So many attempts never end by themselves."""

    def __init__(self, *, stuck: int) -> None:
        super().__init__(half)
        self.stuck = stuck
        self.cut: list[str] = []

    async def roll(self, attempt: Attempt) -> Ending:
        if self.stuck:
            self.stuck -= 1
            try:
                await anyio.sleep_forever()
            finally:
                self.cut.append(attempt.attempt_id)
        return await super().roll(attempt)


async def collected(
    store: Store, completion: StragglerRule, source: GroupSource | int, slots: int = 4
) -> IterationRollouts:
    async with open_pool(store.roll, EventList(), slots=slots) as pool:
        load, over = store.kept.__getitem__, store.over
        rollouts = Rollouts(pool, tasks(40), load, over, seed=3, completion=completion)
        with anyio.fail_after(20):
            if isinstance(source, int):
                return await collect_attempts(rollouts, source, 1)
            return await collect_groups(rollouts, source, 1, lambda group: group)


async def test_stragglers_of_a_replay_are_cancelled_after_their_grace_and_leave_nothing_to_learn_from():
    store = Slow(stuck=2)
    found = await collected(store, StragglerRule(threshold=0.9, grace_seconds=SOON), 20)
    assert len(store.cut) == 2
    assert len(store.rolled) == 18
    members = [member for group in found.groups for member in group.members]
    assert sorted(member.attempt.attempt_id for member in members) == sorted(store.rolled)
    assert all(member.ending.outcome == half(member.attempt) for member in members)


async def test_cancelled_members_of_a_group_are_masked_and_the_others_are_learned_from():
    store = Slow(stuck=1)
    source = GroupSource(groups=2, members=5, refill=1.0)
    found = await collected(store, StragglerRule(threshold=0.9, grace_seconds=SOON), source)
    assert found.fates == {"kept": 2}
    assert sorted(len(group.members) for group in found.chosen) == [4, 5]
    for group in found.chosen:
        assert sum(advantage for _, advantage in group.members) == pytest.approx(0)


async def test_more_than_the_stragglers_are_waited_for():
    store = Slow(stuck=3)
    done = anyio.Event()

    async def collect() -> None:
        await collected(store, StragglerRule(threshold=0.9, grace_seconds=SOON), 20)
        done.set()

    async with anyio.create_task_group() as tasks_:
        tasks_.start_soon(collect)
        with anyio.move_on_after(4 * SOON):
            await done.wait()
        assert not done.is_set()
        assert not store.cut
        tasks_.cancel_scope.cancel()


async def test_nothing_that_has_not_begun_is_given_up():
    store = Slow(stuck=1)
    found = await collected(store, StragglerRule(threshold=0.5, grace_seconds=SOON), 8, slots=2)
    assert len(store.rolled) == 7
    assert len(found.groups) == 8


async def test_one_that_ends_within_the_grace_counts():
    class Late(Slow):
        async def roll(self, attempt: Attempt) -> Ending:
            if self.stuck:
                self.stuck -= 1
                await anyio.sleep(SOON)
            return await Store.roll(self, attempt)

    store = Late(stuck=1)
    store.outcome = lambda _: Success()
    found = await collected(store, StragglerRule(threshold=0.5, grace_seconds=math.inf), 6)
    assert sum(len(group.members) for group in found.groups) == 6


@pytest.mark.parametrize(
    ("kind", "completion"), [("eval", StragglerRule()), ("rollout", StragglerRule(threshold=0.5, grace_seconds=0.1))]
)
def test_only_what_is_collected_is_cut_short(kind, completion):
    said: list[str] = []
    config = RunConfig(pool=PoolConfig(threshold=0.5, grace_seconds=0.1))
    meta = msgspec.structs.replace(META, kind=kind)
    assert _completion(config, meta, SimpleNamespace(on_message=said.append)) == completion
    assert [("0.5" in line) for line in said] == [True] * (kind == "eval")


async def test_an_evaluation_while_training_waits_for_its_last_attempt(tmp_path):
    endings: list[Ending] = []
    others = anyio.Event()

    async def roll(attempt: Attempt) -> Ending:
        if attempt.task.task_id == "t0":
            await others.wait()
            await anyio.sleep(4 * SOON)
        return Ending(Success())

    def told(_iteration: int, _planned: int, finished: FinishedGroup | None) -> None:
        endings.extend(finished.endings if finished else ())
        if len(endings) == 3:
            others.set()

    evaluator = Evaluator(
        config=TrainConfig(pool=PoolConfig(threshold=0.5, grace_seconds=SOON)),
        tasks=tasks(4),
        folders=Folders(tmp_path),
        meta=META,
        wire=lambda _recorder: roll,
        events=EventList(),
        trained_on=SimpleNamespace(rows=list),
        writing=lambda _writer: None,
        told=told,
        pace=PlannedLength(1),
    )
    await evaluator(0, PolicyVersion(0, "model"))
    assert [ending.outcome for ending in endings] == [Success()] * 4

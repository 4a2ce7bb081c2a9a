"""Rollouts of an iteration: enough groups, none twice, the same ones after a restart."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from tests.unit.buffer.making import TASK
from tests.unit.store import making

from webgym.errors import StoreError
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Failure, Infrastructure, Outcome, Success, Trajectory
from webgym.rollout.pool import open_pool
from webgym.run.training.collect import Rollouts, collect_attempts, collect_groups
from webgym.run.training.curriculum import Standing, Worth, attempt_groups, informative, standing_of
from webgym.store.rows import Row
from webgym.store.write import open_writer
from webgym.testing.rollouts import EventList
from webgym.train.recipe import GroupSource

pytestmark = pytest.mark.anyio


def tasks(count: int) -> list[Task]:
    return [Task(f"t{number}", TASK.instruction, TASK.website, TASK.rubric) for number in range(count)]


class Store:
    """Attempts that are over, and what became of them."""

    def __init__(self, outcome: Callable[[Attempt], Outcome]) -> None:
        self.outcome = outcome
        self.rolled: list[str] = []
        self.kept: dict[str, Trajectory] = {}

    async def roll(self, attempt: Attempt) -> Ending:
        self.rolled.append(attempt.attempt_id)
        ending = Ending(self.outcome(attempt))
        self.kept[attempt.attempt_id] = Trajectory(attempt, (), ending)
        return ending

    def over(self) -> frozenset[str]:
        return frozenset(self.kept)


async def collected(store: Store, source: GroupSource, iteration: int = 1, count: int = 20, slots: int = 4):
    async with open_pool(store.roll, EventList(), slots=slots) as pool:
        rollouts = Rollouts(pool, tasks(count), store.kept.__getitem__, store.over, seed=3)
        return await collect_groups(rollouts, source, iteration, lambda group: group)


def half(attempt: Attempt) -> Outcome:
    return Success() if attempt.member % 2 else Failure()


def by_task(attempt: Attempt) -> Outcome:
    """Every other task is never solved, the rest now and then."""
    return half(attempt) if int(attempt.task.task_id[1:]) % 2 else Failure()


async def test_as_many_groups_are_begun_as_a_batch_needs():
    store = Store(half)
    found = await collected(store, GroupSource(groups=3, members=4))
    assert len(found.chosen) == len(found.groups) == 3
    assert len(store.rolled) == 12
    assert found.fates == {"kept": 3}


async def test_groups_that_say_nothing_are_replaced_until_the_refill_is_used_up():
    source = GroupSource(groups=4, members=2, refill=3.0)
    found = await collected(Store(by_task), source)
    assert len(found.chosen) == 4
    assert found.fates["kept"] == 4
    assert found.fates["all_fail"] == len(found.groups) - 4 > 0

    hopeless = await collected(Store(lambda _: Failure()), source)
    assert (len(hopeless.chosen), len(hopeless.groups)) == (0, 12)


async def test_a_restart_makes_only_what_is_missing_and_comes_to_the_same():
    source = GroupSource(groups=4, members=2)
    whole = await collected(Store(by_task), source)
    halfway = Store(by_task)
    for attempts in itertools.islice(attempt_groups(tasks(20), 1, 2, 3), 3):
        halfway.kept[attempts[0].attempt_id] = Trajectory(attempts[0], (), Ending(by_task(attempts[0])))
    before = set(halfway.kept)
    found = await collected(halfway, source)
    assert before.isdisjoint(halfway.rolled)
    assert len(halfway.rolled) == len(set(halfway.rolled))
    assert found.groups == whole.groups
    assert found.chosen == whole.chosen


async def test_what_broke_is_no_failure():
    source = GroupSource(groups=1, members=4, refill=1.0)
    broken = await collected(Store(lambda one: Infrastructure("timeout") if one.member < 2 else half(one)), source)
    [group] = broken.chosen
    assert [member.attempt.member for member, _ in group.members] == [2, 3]
    assert sum(advantage for _, advantage in group.members) == pytest.approx(0)


async def test_iterations_draw_other_tasks_and_none_comes_twice_before_all_have_come():
    names = [
        [group[0].task.task_id for group in itertools.islice(attempt_groups(tasks(6), iteration, 1, 3), 12)]
        for iteration in (1, 2)
    ]
    assert names[0] != names[1]
    for drawn in names:
        assert len(set(drawn[:6])) == len(set(drawn[6:])) == 6
    ids = [one.attempt_id for group in itertools.islice(attempt_groups(tasks(6), 1, 2, 3), 12) for one in group]
    assert len(set(ids)) == 24


async def test_attempts_for_a_replay_are_made_once_each():
    store = Store(half)
    async with open_pool(store.roll, EventList(), slots=3) as pool:
        rollouts = Rollouts(pool, tasks(20), store.kept.__getitem__, store.over, seed=3)
        found = await collect_attempts(rollouts, 7, 1)
        assert len(found.groups) == len(store.rolled) == 7
        assert await collect_attempts(rollouts, 7, 1) == found
        assert len(store.rolled) == 7


def row(task: str, iteration: int, reward: float | None) -> Row:
    values: dict[str, object] = dict.fromkeys(Row.__struct_fields__, 0)
    values |= {"attempt_id": f"{iteration:05d}/0000/{task}/0", "task_id": task, "reward": reward}
    return Row(**values)  # pyright: ignore[reportArgumentType]


def firsts(worth: Worth | None, iteration: int, of: int) -> Counter[str]:
    """The first tasks of many curricula."""
    weights = worth(iteration) if worth else None
    orders = (attempt_groups(tasks(4), iteration, 2, seed, weights) for seed in range(of))
    return Counter(next(order)[0].task.task_id for order in orders)


def test_tasks_that_are_solved_now_and_then_come_sooner():
    past = [row("t0", 1, 1.0) for _ in range(30)] + [row("t1", 1, 0.0) for _ in range(30)]
    past += [row("t2", 1, float(number % 2)) for number in range(30)]
    found = firsts(informative(Standing(tasks(4)), lambda: past), 2, 300)
    assert found["t2"] > 2 * found["t0"]
    assert found["t2"] > 2 * found["t1"]
    assert found["t3"] > found["t0"], "what was never tried may be worth it"
    assert min(found.values()) > 0, "nothing is given up for good"
    assert max(firsts(None, 2, 300).values()) < 110


def test_what_comes_next_hangs_on_what_was_over_before_the_iteration_alone():
    before = [row("t0", 1, 0.0)] * 20
    since = [row("t1", 2, 0.0)] * 20 + [row("t2", 1, None)]
    fresh = Standing(tasks(4))
    assert informative(fresh, lambda: before)(2) == informative(fresh, lambda: before + since)(2)


async def test_attempts_of_other_runs_tell_how_hard_tasks_are(tmp_path):
    async with open_writer(tmp_path / "probe", making.META) as writer:
        for number in range(12):
            one = making.attempt(number % 3)
            tried = msgspec.structs.replace(one, attempt_id=f"{one.attempt_id}-{number}")
            await writer.begin(tried)
            won = {0: True, 1: False, 2: number > 5}[number % 3]
            await writer.end(tried, making.ending(Success() if won else Failure()), {})
    known = [making.attempt(number).task for number in range(3)]
    kept = tmp_path / "tried.json"
    found = standing_of(Standing(known), [str(tmp_path / "probe")], kept).worth()
    always, never, sometimes = found
    assert sometimes > max(always, never)
    # A run that is resumed, here or on another machine, goes by what there was when it began.
    shutil.rmtree(tmp_path / "probe")
    assert standing_of(Standing(known), [str(tmp_path / "probe")], kept).worth() == found
    assert standing_of(Standing(known), [], tmp_path / "none.json").worth() == Standing(known).worth()
    assert not (tmp_path / "none.json").exists()
    with pytest.raises(StoreError, match="there is no run"):
        standing_of(Standing(known), [str(tmp_path / "nothing")], tmp_path / "none.json")


def test_single_attempts_too_go_to_what_is_solved_now_and_then():
    known = tasks(3)
    standing = Standing(known)
    for place, rewards in enumerate(([0.0] * 4, [0.0, 1.0] * 2, [1.0] * 4)):
        for reward in rewards:
            standing.add(known[place].task_id, reward)
    never, sometimes, always = standing.worth()
    assert sometimes > max(never, always)


def test_no_task_comes_twice_before_all_have_come_once():
    order = attempt_groups(tasks(6), 1, 2, 3, [1.0, 0.0, 0.5, 0.0, 1.0, 0.2])
    for _ in range(3):
        assert len({next(order)[0].task.task_id for _ in range(6)}) == 6

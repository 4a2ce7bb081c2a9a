"""The feeder: rollouts go on during updates, within their bounds, and the same groups come after a restart."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import anyio
import anyio.lowlevel
import pytest
from tests.unit.buffer.making import TASK, attempt, step, tokens

from webgym.buffer.groups import BatchRequirements, Group
from webgym.buffer.staleness import Pace
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Failure, Infrastructure, Outcome, Success, Trajectory
from webgym.rollout.pool import open_pool
from webgym.run.training.flow.feeder import Feeder
from webgym.run.training.flow.meter import Meter
from webgym.run.training.flow.stream import stream
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio


def tasks(count: int) -> list[Task]:
    return [Task(f"t{number}", TASK.instruction, TASK.website, TASK.rubric) for number in range(count)]


def half(attempt: Attempt) -> Outcome:
    return Success() if attempt.member % 2 else Failure()


class World:
    """Attempts that take as long as the test says, sampled from the version there is when they begin."""

    def __init__(self, outcome: Callable[[Attempt], Outcome] = half) -> None:
        self.outcome = outcome
        self.version = 0
        self.kept: dict[str, Trajectory] = {}
        self.began: list[str] = []
        self.hold: set[str] = set()
        """Groups that do not end before they are let go."""
        self.let_go = anyio.Event()

    async def roll(self, attempt: Attempt) -> Ending:
        self.began.append(attempt.attempt_id)
        version = self.version
        if attempt.group in self.hold:
            await self.let_go.wait()
        await anyio.lowlevel.checkpoint()
        ending = Ending(self.outcome(attempt), steps=1)
        self.kept[attempt.attempt_id] = Trajectory(attempt, (step(1, tokens(2, version), last=True),), ending)
        return ending

    async def load(self, attempts: tuple[Attempt, ...]) -> Group:
        return Group(attempts[0].group, tuple(self.kept[one.attempt_id] for one in attempts))


def probing(world: World, pool, *, members=6, probe=2, over=None) -> Feeder:
    return Feeder(
        pool,
        stream(tasks(6), members, 3),
        world.load,
        BatchRequirements(2, max_lag=4, refill=6, probe=probe),
        Pace(2, 4, 8),
        over=frozenset(world.kept) if over is None else over,
    )


def begun_of(world: World) -> dict[str, list[int]]:
    """Members that began, by group."""
    found: dict[str, list[int]] = {}
    for name in world.began:
        group, _, member = name.rpartition("/")
        found.setdefault(group, []).append(int(member))
    return found


async def taken_from(world: World, counted: list[tuple[str, int]] | None = None) -> dict[str, str]:
    """Return the fates of the groups that a probing feeder takes a batch from."""
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = probing(world, pool)
        if counted is not None:
            feeder.ended = lambda task, one: counted.append((one.name, len(one.members)))
        group.start_soon(feeder.run)
        with anyio.fail_after(20):
            taken = await feeder.take()
        group.cancel_scope.cancel()
    return {str(name): str(fate) for name, fate in taken.fates.items()}


async def test_the_rest_of_a_group_begins_only_if_its_first_members_differ():
    def outcome(one: Attempt) -> Outcome:
        return Failure() if one.group in {FIRST_OF_SIX, THIRD_OF_SIX} else half(one)

    world, counted = World(outcome), list[tuple[str, int]]()
    fates = await taken_from(world, counted)
    assert fates[FIRST_OF_SIX] == "all_fail"
    assert fates[SECOND_OF_SIX] == "kept"
    begun = begun_of(world)
    assert sorted(begun[FIRST_OF_SIX]) == [0, 1]
    assert sorted(begun[SECOND_OF_SIX]) == [0, 1, 2, 3, 4, 5]
    assert dict(counted)[FIRST_OF_SIX] == 2
    assert dict(counted)[SECOND_OF_SIX] == 6
    assert len(counted) == len(dict(counted)), "each group is counted once"


async def test_first_members_that_were_lost_say_nothing_of_the_rest():
    world = World(lambda one: Infrastructure("timeout") if one.member < 2 else half(one))
    assert set((await taken_from(world)).values()) == {"kept"}
    assert sorted(begun_of(world)[FIRST_OF_SIX]) == [0, 1, 2, 3, 4, 5]


async def test_after_a_restart_the_first_members_decide_as_they_did_before():
    world = World()
    for name, outcomes in ((FIRST_OF_SIX, (Failure(), Failure())), (SECOND_OF_SIX, (Failure(), Success()))):
        for member, outcome in enumerate(outcomes):
            world.kept[f"{name}/{member}"] = attempt(f"{name}/{member}", outcome, group=name)
    fates = await taken_from(world)
    assert fates[FIRST_OF_SIX] == "all_fail"
    assert fates[SECOND_OF_SIX] == "kept"
    assert FIRST_OF_SIX not in begun_of(world)
    assert sorted(begun_of(world)[SECOND_OF_SIX]) == [2, 3, 4, 5]


def names_of(count: int) -> list[str]:
    return [group[0].group for group in itertools.islice(stream(tasks(6), 2, 3), count)]


FIRST, SECOND = names_of(2)
FIRST_OF_SIX, SECOND_OF_SIX, THIRD_OF_SIX = names_of(3)


def feeder_of(world: World, pool, *, groups=2, lag=1, depth=None, running=8, settled=(), members=2, **more) -> Feeder:
    source = stream(tasks(6), members, 3, settled)
    wanted = BatchRequirements(groups, max_lag=lag, **more)
    return Feeder(
        pool,
        source,
        world.load,
        wanted,
        Pace(groups, lag, running, depth),
        version=world.version,
        over=frozenset(world.kept),
    )


async def settled_down() -> None:
    for _ in range(200):
        await anyio.lowlevel.checkpoint()
    await anyio.sleep(0.02)
    for _ in range(200):
        await anyio.lowlevel.checkpoint()


async def test_rollouts_go_on_while_nobody_takes_anything_up_to_the_bound():
    world = World()
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool)
        group.start_soon(feeder.run)
        await settled_down()
        # (eta + v + 1) batches: nothing was taken, so no more may begin.
        assert (feeder.waiting, feeder.running) == (4, 0)
        taken = await feeder.take()
        assert [one.name for one in taken.groups] == [FIRST, SECOND]
        assert taken.fates == {FIRST: "kept", SECOND: "kept"}
        await settled_down()
        assert (feeder.waiting, feeder.running) == (2, 0)  # the update is not made yet
        world.version = 1
        feeder.moved(1)
        await settled_down()
        assert (feeder.waiting, feeder.running) == (4, 0)
        group.cancel_scope.cancel()


async def test_what_new_weights_make_too_old_makes_room_at_once():
    world = World()
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool, lag=1)
        group.start_soon(feeder.run)
        await settled_down()
        assert feeder.capacity() == 0
        feeder.moved(2)
        assert feeder.waiting == 0
        assert feeder.capacity() == 4
        group.cancel_scope.cancel()


async def test_depth_bounds_what_is_under_way_below_what_the_lag_allows():
    world = World()
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool, lag=5, depth=1.5)
        group.start_soon(feeder.run)
        await settled_down()
        assert feeder.waiting + feeder.running == 3
        group.cancel_scope.cancel()


async def test_a_straggler_holds_up_nobody_and_is_dropped_when_it_is_too_old():
    world = World()
    world.hold = {FIRST}
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool, lag=1, groups=2)
        group.start_soon(feeder.run)
        for version in (1, 2):
            taken = await feeder.take()
            assert len(taken.groups) == 2
            assert FIRST not in taken.fates
            world.version = version
            feeder.moved(version)
        assert feeder.oldest is not None
        assert feeder.oldest[0] == FIRST
        world.let_go.set()
        await settled_down()
        taken = await feeder.take()
        assert taken.fates[FIRST] == "stale"
        assert len(taken.groups) == 2
        group.cancel_scope.cancel()


async def test_what_says_nothing_is_replaced_and_a_hopeless_policy_is_not_sampled_for_ever():
    world = World(lambda _: Failure())
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool, refill=3.0)
        group.start_soon(feeder.run)
        with anyio.fail_after(20):
            taken = await feeder.take()
        assert taken.groups == ()
        assert len(taken.fates) >= 6
        assert set(taken.fates.values()) == {"all_fail"}
        group.cancel_scope.cancel()


async def test_what_broke_is_no_failure():
    world = World(lambda one: Infrastructure("timeout") if one.group.startswith("000000") else half(one))
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool)
        group.start_soon(feeder.run)
        taken = await feeder.take()
        assert taken.fates[FIRST] == "too_few"
        assert all(not one.name.startswith("000000") for one in taken.groups)
        group.cancel_scope.cancel()


async def test_after_a_restart_nothing_that_is_over_is_made_again_and_nothing_settled_comes_back():
    world = World()
    names = names_of(4)
    first = next(iter(stream(tasks(6), 2, 3, names[:2])))
    world.kept[first[0].attempt_id] = attempt(first[0].attempt_id, Failure(), group=first[0].group)
    async with open_pool(world.roll, EventList(), slots=4, backlog=1) as pool, anyio.create_task_group() as group:
        feeder = feeder_of(world, pool, settled=frozenset(names[:2]))
        group.start_soon(feeder.run)
        taken = await feeder.take()
        assert [one.name for one in taken.groups] == names[2:4]
        assert first[0].attempt_id not in world.began
        assert first[1].attempt_id in world.began
        assert not [name for name in world.began if name.rsplit("/", 1)[0] in names[:2]]
        group.cancel_scope.cancel()


def test_the_stream_is_the_same_every_time_and_no_task_comes_twice_before_all_have_come():
    drawn = list(itertools.islice(stream(tasks(6), 2, 3), 12))
    assert drawn == list(itertools.islice(stream(tasks(6), 2, 3), 12))
    for part in (drawn[:6], drawn[6:]):
        assert len({group[0].task.task_id for group in part}) == 6
    assert len({one.attempt_id for group in drawn for one in group}) == 24
    assert drawn != list(itertools.islice(stream(tasks(6), 2, 4), 12))


def test_a_meter_tells_which_share_of_its_places_was_idle():
    now = 0.0
    meter = Meter(2, clock=lambda: now)
    with meter.one():
        now = 3.0
        with meter.one():
            now = 4.0
    now = 10.0
    assert meter.lap() == pytest.approx(1 - 5 / 20)
    now = 12.0
    assert meter.lap() == 1.0

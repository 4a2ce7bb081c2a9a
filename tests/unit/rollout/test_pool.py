"""The pool: no barriers, groups, pausing, resizing, stragglers, and sums that are right."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.errors import ConfigError
from webgym.records.trajectory import Ending, Failure, Success
from webgym.rollout.pool import open_pool
from webgym.rollout.run_all import StragglerRule, run_all
from webgym.testing.rollouts import EventList, fake_attempt

pytestmark = pytest.mark.anyio


class Work:
    """Attempts that end when they are let."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.most = 0
        self.now = 0
        self._let: dict[str, anyio.Event] = {}

    def gate(self, attempt_id: str) -> anyio.Event:
        return self._let.setdefault(attempt_id, anyio.Event())

    async def roll(self, attempt):
        self.began.append(attempt.attempt_id)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.gate(attempt.attempt_id).wait()
        finally:
            self.now -= 1
        return Ending(Success())


async def until(condition) -> None:
    with anyio.fail_after(10):
        while not condition():
            await anyio.sleep(0.001)


async def test_a_slot_that_comes_free_takes_the_next_attempt_at_once():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=2) as pool:
        for number in range(4):
            await pool.submit([fake_attempt(number)])
        await until(lambda: len(work.began) == 2)
        work.gate("task-1/0").set()
        await until(lambda: len(work.began) == 3)
        assert work.began == ["task-0/0", "task-1/0", "task-2/0"]
        assert (pool.running, pool.waiting) == (2, 1)


async def test_a_group_comes_back_when_all_its_members_are_over_in_their_order():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=8) as pool:
        await pool.submit([fake_attempt(1, member=member) for member in range(3)])
        await pool.submit([fake_attempt(2)])
        for name in ("task-2/0", "task-1/2", "task-1/0", "task-1/1"):
            await until(lambda name=name: name in work.began)
            work.gate(name).set()
        groups = []
        with anyio.fail_after(30):
            async for group in pool.finished():
                groups.append([attempt.attempt_id for attempt in group.attempts])
                if len(groups) == 2:
                    break
    assert groups == [["task-2/0"], ["task-1/0", "task-1/1", "task-1/2"]]


async def test_a_paused_pool_starts_nothing_and_a_resumed_one_goes_on():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=2) as pool:
        pool.pause()
        await pool.submit([fake_attempt(1)])
        await anyio.sleep(0.05)
        assert work.began == []
        pool.resume()
        await until(lambda: work.began == ["task-1/0"])


async def test_a_pool_can_grow_and_shrink_while_it_runs():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=1) as pool:
        for number in range(6):
            await pool.submit([fake_attempt(number)])
        pool.resize(4)
        await until(lambda: len(work.began) == 4)
        pool.resize(1)
        for number in range(3):
            work.gate(f"task-{number}/0").set()
        await until(lambda: pool.running == 1)
        assert len(work.began) == 4


async def test_the_backlog_is_bounded():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=1, backlog=2) as pool:
        for number in range(3):
            await pool.submit([fake_attempt(number)])
            await until(lambda: work.began)
        with anyio.move_on_after(0.05) as patience:
            await pool.submit([fake_attempt(9)])
        assert patience.cancelled_caught


async def test_the_same_attempt_is_not_taken_twice():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=1) as pool:
        await pool.submit([fake_attempt(1)])
        with pytest.raises(ConfigError, match="already"):
            await pool.submit([fake_attempt(1)])
        with pytest.raises(ConfigError, match="already"):
            await pool.submit([fake_attempt(2), fake_attempt(2)])


async def test_cancelled_attempts_are_counted_as_such():
    work = Work()
    async with open_pool(work.roll, EventList(), slots=2) as pool:
        for number in range(3):
            await pool.submit([fake_attempt(number)])
        await until(lambda: len(work.began) == 2)
        pool.close()
        pool.cancel()
        await until(lambda: pool.running == 0)
        assert pool.totals.submitted == 2
        assert pool.totals.outcomes["cancelled"] == 2
        assert pool.totals.open == 0


async def test_the_hardest_go_first_in_a_finite_run():
    order = []

    async def roll(attempt):
        order.append(attempt.task.difficulty)
        await anyio.lowlevel.checkpoint()
        return Ending(Success())

    async with open_pool(roll, EventList(), slots=1) as pool:
        pool.pause()
        async with anyio.create_task_group() as tasks:
            groups = [[fake_attempt(number, facts)] for number, facts in enumerate((1, 7, 3, 12))]
            tasks.start_soon(run_all, pool, groups, lambda _: None)
            await until(lambda: pool.waiting == 4)
            pool.resume()
    assert order == [12, 7, 3, 1]


async def test_stragglers_get_the_grace_period_and_are_then_cancelled():
    work = Work()
    ended = []
    async with open_pool(work.roll, EventList(), slots=10) as pool:
        for number in range(9):
            work.gate(f"task-{number}/0").set()
        groups = [[fake_attempt(number)] for number in range(10)]
        with anyio.fail_after(10):
            await run_all(pool, groups, ended.append, StragglerRule(threshold=0.9, grace_seconds=0.05))
        assert pool.totals.outcomes["success"] == 9
        assert pool.totals.outcomes["cancelled"] == 1
    assert len(ended) == 10


@settings(max_examples=30, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=20),
    slots=st.integers(1, 7),
    failing=st.integers(0, 4),
)
def test_submitted_is_the_sum_of_the_outcomes_whatever_is_submitted(sizes, slots, failing):
    async def roll(attempt):
        await anyio.lowlevel.checkpoint()
        return Ending(Failure() if attempt.seed == failing else Success())

    async def run() -> None:
        seen = []
        async with open_pool(roll, EventList(), slots=slots) as pool:
            groups = [[fake_attempt(n, member=m) for m in range(size)] for n, size in enumerate(sizes)]
            await run_all(pool, groups, seen.append)
            assert pool.totals.submitted == sum(pool.totals.outcomes.values()) == sum(sizes)
            assert pool.totals.open == 0
        assert sorted(len(one.attempts) for one in seen) == sorted(sizes)

    anyio.run(run)

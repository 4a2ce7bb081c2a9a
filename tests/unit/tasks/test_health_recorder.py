"""Endings go into the health database as attempts end, and what is blocked on the way is quarantined at once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import anyio
import pytest
from tests.unit.store.making import META, attempt, ending

from webgym.records.trajectory import Attempt, Cancellation, Ending, Failure, Outcome, SiteBlock, Success
from webgym.rollout.pool import Roll, open_pool
from webgym.run.task_sets.health import record_run
from webgym.run.task_sets.health_recorder import HealthRecorder, open_health_recorder
from webgym.store.write import open_writer
from webgym.tasks.health.database import HealthDatabase, Rates
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio
HOUR = 3600.0
TASK = attempt(0).task


class Clock:
    """That tests can turn on."""

    def __init__(self) -> None:
        self.now = 1e6

    def __call__(self) -> float:
        return self.now


def ends_as(*outcomes: Outcome, clock: Clock) -> Roll:
    left = list(outcomes)

    async def roll(one: Attempt) -> Ending:
        del one
        clock.now += 1
        return Ending(left.pop(0), ended=clock.now)

    return roll


def rates(path: Path) -> list[Rates]:
    database = HealthDatabase(path)
    try:
        return database.rates("site")
    finally:
        database.close()


async def test_every_attempt_is_written_down_when_it_ends_and_not_again_from_the_store(tmp_path: Path):
    clock, path = Clock(), tmp_path / "health.db"
    outcomes: list[Outcome] = [Success(), Failure(), SiteBlock("captcha"), Cancellation()]
    async with (
        open_writer(tmp_path / "run", META) as writer,
        open_health_recorder(path, writer.path, now=clock) as health_recorder,
    ):
        roll = health_recorder.noting(ends_as(*outcomes, clock=clock), META)
        for number, outcome in enumerate(outcomes):
            await writer.begin(attempt(number))
            await roll(attempt(number))
            await writer.end(attempt(number), ending(outcome), {})
            assert sum(one.attempts for one in rates(path)) == min(number + 1, 3)
    database = HealthDatabase(path)
    assert record_run(database, tmp_path / "run") == 0
    database.close()


async def test_what_ended_before_a_restart_and_was_not_written_down_is_now(tmp_path: Path):
    path = tmp_path / "health.db"
    async with open_writer(tmp_path / "run", META) as writer:
        await writer.begin(attempt(0))
        await writer.end(attempt(0), ending(Success()), {})
    async with open_writer(tmp_path / "run") as writer, open_health_recorder(path, writer.path):
        assert [one.successes for one in rates(path)] == [1]


async def blocked_keeper(tmp_path: Path, clock: Clock, said: list[str], times: int, *, reviews: bool) -> HealthRecorder:
    health_recorder = HealthRecorder(
        HealthDatabase(tmp_path / "health.db"), reviews=reviews, say=said.append, now=clock
    )
    roll = health_recorder.noting(ends_as(*[SiteBlock("captcha")] * times, clock=clock), META)
    for number in range(times):
        await roll(attempt(number))
    return health_recorder


async def test_a_website_that_blocks_leaves_the_pool_during_the_run_comes_back_and_is_forgiven(tmp_path: Path):
    clock, said = Clock(), list[str]()
    health_recorder = await blocked_keeper(tmp_path, clock, said, 3, reviews=True)
    assert not health_recorder.is_away(TASK)
    await health_recorder.noting(ends_as(SiteBlock("captcha"), clock=clock), META)(attempt(3))
    assert health_recorder.is_away(TASK)
    assert any("kettle.localhost" in line and "12 h" in line for line in said)
    clock.now += 11.9 * HOUR
    assert health_recorder.is_away(TASK)
    clock.now += 0.2 * HOUR
    assert not health_recorder.is_away(TASK)
    await health_recorder.noting(ends_as(Failure(), clock=clock), META)(attempt(4))
    assert not health_recorder.is_away(TASK)
    health_recorder.close()
    database = HealthDatabase(tmp_path / "health.db")
    assert ("site", "kettle.localhost") not in database.held()
    database.close()


async def test_who_only_writes_down_holds_nothing_back(tmp_path: Path):
    health_recorder = await blocked_keeper(tmp_path, Clock(), [], 6, reviews=False)
    assert not health_recorder.is_away(TASK)
    health_recorder.close()


async def test_many_attempts_that_end_at_once_are_all_written_down(tmp_path: Path):
    clock, path = Clock(), tmp_path / "health.db"
    health_recorder = HealthRecorder(HealthDatabase(path), reviews=True, say=list[str]().append, now=clock)
    roll = health_recorder.noting(ends_as(*[Success()] * 50, clock=clock), META)
    async with anyio.create_task_group() as tasks:
        for number in range(50):
            tasks.start_soon(roll, attempt(number))
    health_recorder.close()
    assert [one.successes for one in rates(path)] == [50]


async def test_an_attempt_that_is_stopped_while_it_is_written_down_ends_as_it_ended(tmp_path: Path):
    clock, path = Clock(), tmp_path / "health.db"
    health_recorder = HealthRecorder(HealthDatabase(path), reviews=True, say=list[str]().append, now=clock)
    started = anyio.Event()

    async def over(one: Attempt) -> Ending:
        del one
        started.set()
        return Ending(Success(), ended=1.0)

    async with open_pool(health_recorder.noting(over, META), EventList(), slots=1) as pool:
        await pool.submit([attempt(0)])
        await started.wait()
        pool.cancel()
        finished = await anext(aiter(pool.finished()))
    assert isinstance(finished.endings[0].outcome, Success)
    health_recorder.close()
    assert [one.successes for one in rates(path)] == [1]


async def test_a_book_that_cannot_be_written_ends_no_run_and_is_told_once(tmp_path: Path):
    clock, said = Clock(), list[str]()
    health_recorder = HealthRecorder(HealthDatabase(tmp_path / "health.db"), reviews=True, say=said.append, now=clock)
    spoiler = sqlite3.connect(tmp_path / "health.db", isolation_level=None)
    spoiler.execute("DROP TABLE attempts")
    spoiler.close()
    roll = health_recorder.noting(ends_as(Success(), Success(), clock=clock), META)
    for number in range(2):
        assert isinstance((await roll(attempt(number))).outcome, Success)
    health_recorder.close()
    assert len(said) == 1
    assert "--record" in said[0]

"""Outcomes of runs go into the health database."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.store.making import META, attempt, ending, step

from webgym.records.trajectory import (
    Cancellation,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Success,
    Truncation,
)
from webgym.run.task_sets.health import record_run
from webgym.store.write import open_writer
from webgym.tasks.health.database import HealthDatabase
from webgym.tasks.health.quarantine import review

pytestmark = pytest.mark.anyio


async def make_run(folder: Path, outcomes: list[Outcome | None]) -> Path:
    async with open_writer(folder, META) as writer:
        for number, outcome in enumerate(outcomes):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *step(1, picture_seed=number))
            if outcome:
                await writer.end(attempt(number), ending(outcome, steps=1), {})
    return folder


async def test_a_runs_outcomes_are_written_down_once_and_those_that_say_nothing_never(tmp_path: Path):
    outcomes: list[Outcome | None] = [
        Success(),
        Failure(),
        Truncation("steps"),
        SiteBlock("captcha"),
        Infrastructure("timeout"),
        JudgeUnknown("silent"),
        Cancellation("stopped"),
        None,
    ]
    folder = await make_run(tmp_path / "run", outcomes)
    database = HealthDatabase(tmp_path / "health.db")
    assert record_run(database, folder) == 5
    assert record_run(database, folder) == 0
    [rates] = database.rates("site")
    assert rates.name == "kettle.localhost"
    assert (rates.successes, rates.failures, rates.blocked, rates.errors) == (1, 2, 1, 1)
    assert review(database, 100.0).sites == frozenset()
    database.close()


async def test_a_site_that_blocks_a_run_is_out_of_the_pool(tmp_path: Path):
    folder = await make_run(tmp_path / "run", [SiteBlock("captcha")] * 4)
    database = HealthDatabase(tmp_path / "health.db")
    record_run(database, folder)
    assert review(database, 100.0).sites == {"kettle.localhost"}
    database.close()

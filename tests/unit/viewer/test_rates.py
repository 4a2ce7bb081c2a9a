"""The viewer's rates are those of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.datastructures import QueryParams
from tests.unit.store.making import META, ending, task
from tests.unit.viewer.made_rows import row

from webgym.records.trajectory import Attempt, Cancellation, Failure, Infrastructure, SiteBlock, Success
from webgym.run.summary import summarise
from webgym.store.write import open_writer
from webgym.viewer.api import LibraryApi
from webgym.viewer.library import Library
from webgym.viewer.rates import summary

MIXED = ["success"] * 10 + ["failure"] * 10 + ["infrastructure"] * 10 + ["blocked"] * 5


def mixed(**changes):
    return [row(number, kind, **changes) for number, kind in enumerate(MIXED)]


def test_what_was_lost_to_us_is_no_failure_of_the_agent():
    found = summary(mixed())
    assert found.success_over_graded.rate == 0.5
    assert found.success_over_graded.attempts == 20
    assert found.success_over_all.rate == pytest.approx(10 / 35)
    assert found.blocked_rate == pytest.approx(5 / 35)


def test_the_command_line_says_the_same_of_the_same_attempts():
    repeated = [row(n, kind, task_id=f"task-{n % 7}") for n, kind in enumerate([*MIXED, "cancelled", None])]
    for rows in (mixed(), repeated, []):
        shown, told = summary(rows), summarise(rows)
        assert shown.success_over_all == told.success_over_all
        assert shown.success_over_graded == told.success_over_graded
        assert shown.blocked_rate == told.blocked_rate


def test_repeats_of_a_task_do_not_count_as_independent():
    often = [row(n, "success" if n % 10 < 5 else "failure", task_id=f"task-{n % 10}") for n in range(40)]
    once = [row(n, "success" if n % 10 < 5 else "failure") for n in range(40)]
    wide, narrow = (summary(rows).success_over_graded for rows in (often, once))
    assert wide.rate == narrow.rate == 0.5
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_attempts_that_are_not_over_are_in_no_rate():
    found = summary([row(1), row(2, "failure"), row(3, None)])
    assert (found.success_over_all.successes, found.success_over_all.attempts) == (1, 2)
    assert found.outcomes == {"success": 1, "failure": 1, "unfinished": 1}


def test_outcomes_add_up_to_the_attempts():
    kinds = ["success"] * 3 + ["infrastructure", "judge_unknown", "cancelled", "truncated", None]
    found = summary([row(number, kind) for number, kind in enumerate(kinds)])
    assert found.attempts == sum(found.outcomes.values()) == len(kinds)


@pytest.mark.anyio
async def test_the_list_of_runs_and_the_page_of_one_say_what_the_command_line_says(tmp_path: Path):
    outcomes = [Success(), Failure(), Failure(), Infrastructure("timeout"), SiteBlock("wall"), Cancellation("stopped")]
    async with open_writer(tmp_path / "one", META) as writer:
        for number, outcome in enumerate([*outcomes, *outcomes]):
            attempt = Attempt(f"a-{number}", task(f"shop-{number % 4}"))
            await writer.begin(attempt)
            await writer.end(attempt, ending(outcome, steps=0), {})
    library = Library(tmp_path)
    api = LibraryApi(library)
    told = summarise(library.run("one").rows())
    assert told.success_over_graded.attempts == 6
    (line,) = api.runs(QueryParams())
    page = api.run(QueryParams({"run": "one"}))
    for shown in (line.summary, page.line.summary):
        assert shown.success_over_all == told.success_over_all
        assert shown.success_over_graded == told.success_over_graded
    assert sum(part.summary.attempts for part in page.by_site) == 12

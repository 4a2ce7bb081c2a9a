"""Health is kept across runs; what is blocked leaves the pool and comes back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import psutil
import pytest
from tests.unit.tasks.rows import facts, row

from webgym.errors import TaskSetError
from webgym.tasks.health.database import Fate, HealthDatabase, Result
from webgym.tasks.health.estimates import estimates_of
from webgym.tasks.health.quarantine import Rules, out_of_pool, review
from webgym.tasks.samplers.pool import pool_of
from webgym.tasks.sets import set_of

HOUR = 3600.0


@pytest.fixture
def database(tmp_path: Path):
    opened = HealthDatabase(tmp_path / "health.db")
    yield opened
    opened.close()


def results(fates: str, *, site: str = "a.com", task: str = "t", at: float = 0.0, run: str = "r") -> list[Result]:
    names: dict[str, Fate] = {"s": "success", "f": "failure", "b": "blocked", "e": "error"}
    return [Result(run, f"{task}/{at}/{n}", task, site, names[fate], at + n) for n, fate in enumerate(fates)]


def test_rates_are_kept_across_runs_and_counted_once(tmp_path: Path):
    for _ in range(2):
        opened = HealthDatabase(tmp_path / "health.db")
        opened.record(results("ssfbe"))
        opened.close()
    opened = HealthDatabase(tmp_path / "health.db")
    assert opened.record(results("s", run="another")) == 1
    [rates] = opened.rates("site")
    opened.close()
    assert (rates.attempts, rates.successes, rates.blocked_rate, rates.error_rate) == (6, 3, 1 / 6, 1 / 6)
    assert rates.success_rate == 3 / 4


def test_an_error_is_replaced_by_what_a_later_try_came_to_and_nothing_else_is(database: HealthDatabase):
    lost, solved = (Result("r", name, "t", "a.com", fate, 1.0) for name, fate in (("1", "error"), ("2", "success")))
    assert database.record([lost, solved]) == 2
    assert database.record([lost, solved]) == 0
    database.record([msgspec.structs.replace(one, fate="failure", at=2.0) for one in (lost, solved)])
    [rates] = database.rates("task")
    assert (rates.attempts, rates.successes, rates.failures, rates.errors) == (2, 1, 1, 0)


@pytest.mark.parametrize(
    ("fates", "leaves"),
    [("bbb", False), ("bbbb", True), ("bbsf", True), ("bsff", False), ("eeee", True), ("ffff", False), ("ssss", False)],
)
def test_half_of_four_attempts_blocked_or_failed_is_enough_to_leave(database: HealthDatabase, fates: str, leaves: bool):
    database.record(results(fates))
    assert review(database, 10.0).sites == (frozenset(["a.com"]) if leaves else frozenset())


def test_only_the_newest_attempts_count(database: HealthDatabase):
    database.record(results("b" * 30, at=0) + results("s" * 20, at=100, task="u"))
    out = review(database, 1000.0)
    assert (out.sites, out.tasks) == (frozenset(), {"t"})


def test_a_site_comes_back_on_trial_and_is_forgiven(database: HealthDatabase):
    database.record(results("bbbb"))
    assert review(database, 10.0).sites == {"a.com"}
    assert review(database, 10 + 11.9 * HOUR).sites == {"a.com"}
    back = 10 + 12.1 * HOUR
    assert review(database, back).sites == frozenset()
    database.record(results("f", at=back + 1, task="u"))
    assert review(database, back + 10).sites == frozenset()
    assert ("site", "a.com") not in database.held()


def test_a_site_that_fails_its_trial_stays_away_twice_as_long(database: HealthDatabase):
    database.record(results("bbbb"))
    review(database, 10.0)
    back = 10 + 12.1 * HOUR
    database.record(results("b", at=back, task="u"))
    assert review(database, back + 1).sites == {"a.com"}
    held = database.held()["site", "a.com"]
    assert (held.times, held.until - held.since) == (2, 24 * HOUR)
    assert "100% of 1 attempts blocked" in held.reason


def test_a_stay_is_never_longer_than_the_rules_say(database: HealthDatabase):
    rules = Rules(hours=1, most_hours=3)
    now = 10.0
    for number in range(5):
        database.record(results("bbbb", at=now, task=f"t{number}"))
        review(database, now + 5, rules)
        held = database.held()["site", "a.com"]
        now = held.until + 1
    assert held.until - held.since == 3 * HOUR


def test_a_task_leaves_alone_if_its_site_is_fine(database: HealthDatabase):
    database.record(results("eeee", task="bad") + results("s" * 20, task="good", at=50))
    out = review(database, 100.0)
    assert (out.sites, out.tasks) == (frozenset(), {"bad"})


def test_what_is_held_can_be_let_go(database: HealthDatabase):
    database.record(results("bbbb"))
    review(database, 10.0)
    database.forgive([("site", "a.com"), ("task", "t")])
    assert out_of_pool(database, 11.0).sites == frozenset()


def test_estimates_are_of_the_newest_attempts(database: HealthDatabase):
    database.record(results("f" * 30, task="1") + results("s" * 10, task="1", at=100) + results("sb", task="gone"))
    pool = pool_of(set_of("x", [row(str(n), rubric=facts(1)) for n in range(3)]))
    won, lost = estimates_of(database, pool)
    assert np.array_equal(won, [0, 10, 0])
    assert np.array_equal(lost, [0, 6, 0])


def test_a_file_that_is_no_book_is_refused(tmp_path: Path):
    (tmp_path / "x.db").write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(TaskSetError, match="not a health database") as refused:
        HealthDatabase(tmp_path / "x.db")
    assert refused.value.__traceback__ is not None, "it may still refer to what was opened"
    assert not [one for one in psutil.Process().open_files() if one.path.startswith(str(tmp_path))]

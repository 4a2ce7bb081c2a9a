"""Two runs paired by task."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.viewer.pairs import compare, sign_test

A = [row(1, "success"), row(2, "failure"), row(3, "success"), row(4, "blocked"), row(5, "failure")]
B = [row(1, "failure"), row(2, "success"), row(3, "success"), row(4, "success"), row(6, "success")]


def flips():
    return {pair.task_id: pair.flip for pair in compare(A, B).pairs}


def test_every_task_of_either_run_is_there_once_with_what_changed():
    assert flips() == {
        "task-1": "lost",
        "task-2": "gained",
        "task-3": "same",
        "task-4": "ungraded",
        "task-5": "only_a",
        "task-6": "only_b",
    }


def test_what_no_judge_graded_enters_neither_rate():
    found = compare(A, B)
    assert (found.shared_a.successes, found.shared_a.of) == (2, 3)
    assert (found.shared_b.successes, found.shared_b.of) == (2, 3)


def test_of_several_attempts_the_one_that_shows_the_change_is_shown():
    tried_often = [row(7, "success", task_id="t", attempt_id="good"), row(8, "failure", task_id="t", attempt_id="bad")]
    (pair,) = compare(tried_often, [row(9, "failure", task_id="t", attempt_id="worse")]).pairs
    assert (pair.flip, pair.a.shown, pair.b.shown) == ("lost", "good", "worse")


@pytest.mark.parametrize(("wins", "losses", "chance"), [(3, 0, 0.25), (1, 1, 1.0), (8, 1, 0.0390625)])
def test_the_sign_test_tells_chance(wins, losses, chance):
    assert sign_test(wins, losses) == pytest.approx(chance)


def test_of_no_flips_there_is_no_chance():
    assert sign_test(0, 0) is None


def test_thousands_of_flips_have_a_chance_too():
    assert 0 < sign_test(5_100, 4_900) < 0.06

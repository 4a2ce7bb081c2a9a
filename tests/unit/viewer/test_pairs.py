"""Two runs paired by task."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.viewer.pairs import pair_up

A = [row(1, "success"), row(2, "failure"), row(3, "success"), row(4, "blocked"), row(5, "failure")]
B = [row(1, "failure"), row(2, "success"), row(3, "success"), row(4, "success"), row(6, "success")]


def flips():
    return {pair.task_id: pair.flip for pair in pair_up(A, B).pairs}


def test_every_task_of_either_run_is_there_once_with_what_changed():
    assert flips() == {
        "task-1": "lost",
        "task-2": "gained",
        "task-3": "same",
        "task-4": "ungraded",
        "task-5": "only_a",
        "task-6": "only_b",
    }


def test_what_no_judge_graded_enters_no_rate():
    found = pair_up(A, B)
    assert found.tasks == 3
    assert found.success_a == found.success_b == pytest.approx(2 / 3)
    assert found.difference.low < 0 < found.difference.high


def test_of_several_attempts_the_one_that_shows_the_change_is_shown():
    tried_often = [row(7, "success", task_id="t", attempt_id="good"), row(8, "failure", task_id="t", attempt_id="bad")]
    (pair,) = pair_up(tried_often, [row(9, "failure", task_id="t", attempt_id="worse")]).pairs
    assert (pair.flip, pair.a.shown, pair.b.shown) == ("lost", "good", "worse")


def test_the_chance_of_such_a_split_is_told():
    better = [row(number, "success") for number in range(8)]
    worse = [row(number, "failure") for number in range(8)]
    assert pair_up(worse, better).chance == pytest.approx(2 / 2**8)

"""Attempts without a reward: how many, why, and whether that goes with their length."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.run.summary import summarise
from webgym.store.masked import masked_of
from webgym.store.statistics import rank_test


def rows(graded: list[int], lost: list[int], detail: str = "timeout"):
    good = [row(n, "success" if n % 2 else "failure", steps=steps) for n, steps in enumerate(graded)]
    bad = [row(1000 + n, "infrastructure", steps=steps, detail=detail) for n, steps in enumerate(lost)]
    return [*good, *bad]


def test_attempts_that_are_lost_when_they_are_long_are_warned_about_however_few():
    found = masked_of(rows([3, 4, 5, 6, 7] * 40, [20, 25, 30, 22, 28]))
    assert found.share < 0.05
    assert (found.attempts, found.steps, found.graded_steps, found.longer) == (5, 25.0, 5.0, 1.0)
    (warning,) = found.warnings
    assert "longer than graded ones, 25.0 steps on average against 5.0" in warning


def test_attempts_that_are_lost_at_the_start_are_said_to_be_shorter():
    (warning,) = masked_of(rows([5, 6, 7, 8] * 50, [0] * 8)).warnings
    assert "shorter than graded ones" in warning


def test_attempts_that_are_lost_at_any_length_are_not_warned_about():
    assert masked_of(rows([3, 4, 5, 6, 7] * 40, [3, 4, 5, 6, 7])).warnings == ()
    assert masked_of(rows([3, 4, 5, 6, 7] * 40, [9])).warnings == ()  # one says nothing
    assert masked_of([]).warnings == ()


def test_many_are_warned_about_with_their_reasons():
    found = summarise([*rows([4] * 9, [4], detail="a\nwall"), row(50, None)])
    assert found.masked.share == pytest.approx(0.1)
    assert found.warnings == ("10.0% of the attempts have no reward: infrastructure (a wall) 1 times",)


def test_the_rank_test_is_mann_and_whitneys():
    assert rank_test([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == (0.0, pytest.approx(0.0122, abs=1e-4))
    assert rank_test([1, 2, 2, 3, 9], [2, 3, 4, 4, 5, 6]) == (pytest.approx(8.5 / 30), pytest.approx(0.2662, abs=1e-3))
    assert rank_test([4, 4], [4, 4, 4]) == (0.5, 1.0)
    assert rank_test([], [1.0]) == (0.5, 1.0)

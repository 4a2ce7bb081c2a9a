"""Success rates with their intervals."""

from __future__ import annotations

import pytest

from webgym.viewer.rates import Rate, rate, summary


def test_the_interval_of_a_rate_is_wilsons():
    half = rate(50, 100)
    assert half.share == 0.5
    assert half.low == pytest.approx(0.4038, abs=1e-4)
    assert half.high == pytest.approx(0.5962, abs=1e-4)


def test_even_of_nothing_but_failures_the_truth_may_be_above_zero():
    none = rate(0, 10)
    assert none.low == 0.0
    assert none.high == pytest.approx(0.2775, abs=1e-4)


def test_of_nothing_there_is_no_rate():
    assert rate(0, 0) == Rate(0, 0)


def test_blocked_attempts_count_in_one_rate_and_not_in_the_other():
    found = summary(["success", "failure", "blocked", "blocked", "unfinished"])
    assert (found.over_all.successes, found.over_all.of) == (1, 4)
    assert (found.over_unblocked.successes, found.over_unblocked.of) == (1, 2)


def test_outcomes_add_up_to_the_attempts():
    kinds = ["success"] * 3 + ["infrastructure", "judge_unknown", "cancelled", "truncated", "unfinished"]
    found = summary(kinds)
    assert found.attempts == sum(found.outcomes.values()) == len(kinds)

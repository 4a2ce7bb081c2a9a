"""Intervals mean what they say."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.records.trajectory import OutcomeKind
from webgym.store.rates import rate
from webgym.store.statistics import paired_difference, sign_test, student, wilson


def test_wilsons_interval_agrees_with_published_values():
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    low, high = wilson(1, 29)
    assert (round(low, 4), round(high, 4)) == (0.0061, 0.1718)
    assert wilson(0, 20)[0] == 0.0
    assert wilson(20, 20)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilsons_interval_holds_the_rate_and_stays_within_bounds(successes: int, n: int):
    low, high = wilson(min(successes, n), n)
    assert 0 <= low <= min(successes, n) / n <= high <= 1
    assert high - low > 0


def test_a_paired_difference_is_over_what_both_have():
    a = {"1": 0.0, "2": 1.0, "3": 0.0, "only a": 1.0}
    b = {"1": 1.0, "2": 1.0, "3": 1.0, "only b": 0.0}
    found = paired_difference(a, b)
    assert found.n == 3
    assert found.estimate == pytest.approx(2 / 3)
    assert -1 <= found.low < found.estimate < found.high <= 1
    assert paired_difference(b, a).estimate == pytest.approx(-2 / 3)


def test_a_paired_difference_agrees_with_bonett_and_price():
    # 100 pairs of which 20 went up and 8 down: (21 - 9) / 102 ± 1.96 sqrt((21/102 + 9/102 - (12/102)²) / 102)
    a = {str(number): float(number < 8) for number in range(100)}
    b = {str(number): float(8 <= number < 28) for number in range(100)}
    found = paired_difference(a, b)
    assert found.estimate == pytest.approx(0.12)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0149, 0.2204)


def test_pairs_that_all_agree_are_still_uncertain():
    same = {str(number): 1.0 for number in range(10)}
    found = paired_difference(same, same)
    assert found.estimate == 0
    assert found.low < -0.1
    assert found.high > 0.1
    assert paired_difference({}, {}).n == 0


def test_the_paired_interval_holds_the_truth_about_as_often_as_it_says():
    chance = random.Random(3)
    inside = 0
    for _ in range(1000):
        a = {str(task): float(chance.random() < 0.3) for task in range(40)}
        b = {task: float(chance.random() < (0.8 if value else 0.4)) for task, value in a.items()}
        found = paired_difference(a, b)
        inside += found.low <= 0.3 * 0.8 + 0.7 * 0.4 - 0.3 <= found.high
    assert 925 <= inside <= 985


def test_the_sign_test_is_exact():
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 5) == 1.0
    assert sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(1, 9) == pytest.approx(22 / 1024)


def test_students_interval_agrees_with_a_case_by_hand():
    found = student([0.1, 0.2, 0.3])
    assert found.estimate == pytest.approx(0.2)
    assert found.high - 0.2 == pytest.approx(4.303 * 0.1 / 3**0.5)
    assert (student([0.3]).low, student([0.3]).high) == (-1.0, 1.0)
    many = student([0.1, 0.2] * 20)
    assert many.high - many.estimate == pytest.approx(2.0227 * 0.050637 / 40**0.5, rel=1e-3)


def test_tasks_that_all_agree_leave_a_rate_uncertain_however_it_is_rounded():
    for tried in range(2, 60):
        for solved in range(1, tried):
            ends: dict[tuple[str, OutcomeKind], int] = {}
            for task in ("a", "b", "c"):
                ends[task, "success"], ends[task, "failure"] = solved, tried - solved
            found = rate(ends)
            assert found.high - found.low > 0.1, (solved, tried)

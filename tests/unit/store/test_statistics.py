"""Intervals mean what they say."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.records.trajectory import OutcomeKind
from webgym.store.rates import rate
from webgym.store.statistics import (
    Mean,
    bootstrap,
    clustered_mean,
    paired_difference,
    ratio,
    sign_test,
    student,
    wilson,
)


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


def test_a_clustered_mean_of_clusters_of_one_size_is_students_over_their_means():
    found = clustered_mean([[0.0, 0.2], [0.1, 0.3], [0.2, 0.4]])
    assert found is not None
    by_hand = student([0.1, 0.2, 0.3])
    told = found.interval()
    assert (found.freedom, found.n, told.n) == (2, 6, 6)
    assert told.estimate == pytest.approx(by_hand.estimate)
    assert (told.low, told.high) == (pytest.approx(by_hand.low), pytest.approx(by_hand.high))


def test_a_clustered_mean_agrees_with_a_case_by_hand():
    # Sums of residuals around 3: -3 and 3. Two clusters: sqrt(2 / 1 * (9 + 9)) / 4 = 6 / 4.
    found = clustered_mean([[1.0, 2.0], [3.0, 6.0], []])
    assert found == Mean(mean=3.0, error=pytest.approx(1.5), freedom=1, n=4)
    assert found.interval().high == pytest.approx(3 + 12.706 * 1.5)


def test_values_that_are_repeated_within_a_cluster_make_nothing_surer():
    once, often = clustered_mean([[1.0], [2.0], [4.0]]), clustered_mean([[1.0] * 50, [2.0] * 50, [4.0] * 50])
    assert once is not None
    assert often is not None
    assert often.error == pytest.approx(once.error)


def test_one_cluster_has_a_mean_and_no_interval_and_nothing_has_neither():
    alone = clustered_mean([[1.0, 3.0]])
    assert alone is not None
    assert (alone.interval().estimate, alone.interval().low, alone.interval().high) == (2.0, None, None)
    assert clustered_mean([[], []]) is None


def test_a_ratio_agrees_with_a_case_by_hand():
    # Relative errors of 0.3 and 0.4: 0.5 together. Welch: 0.25² / (0.09² / 2 + 0.16² / 2) = 3.709, rounded down 3.
    found = ratio(Mean(2.0, 0.6, 2, 10), Mean(1.0, 0.4, 2, 10))
    assert found is not None
    assert found.estimate == 2.0
    factor = 2.718281828 ** (3.182 * 0.5)
    assert (found.low, found.high) == (pytest.approx(2 / factor), pytest.approx(2 * factor))


def test_a_ratio_of_two_equal_errors_has_the_freedom_of_both():
    found = ratio(Mean(1.0, 0.1, 2, 3), Mean(1.0, 0.1, 2, 3))
    assert found is not None
    assert found.high == pytest.approx(2.718281828 ** (2.776 * 0.02**0.5))


def test_a_ratio_to_nothing_is_none_and_one_without_errors_has_no_interval():
    assert ratio(Mean(1.0, 0.1, 2, 3), Mean(0.0, 0.0, 2, 3)) is None
    alone = ratio(Mean(3.0, None, 0, 5), Mean(2.0, 0.1, 2, 5))
    assert alone is not None
    assert (alone.estimate, alone.low, alone.high) == (1.5, None, None)
    exact = ratio(Mean(3.0, 0.0, 2, 5), Mean(2.0, 0.0, 2, 5))
    assert exact is not None
    assert (exact.low, exact.high) == (1.5, 1.5)


def test_a_bootstrap_draws_each_sample_from_its_own_members():
    samples = ([0.0, 1.0], [10.0, 10.0])

    def difference(picks):
        means = [sum(sample[place] for place in places) / 2 for sample, places in zip(samples, picks, strict=True)]
        return means[1] - means[0]

    # The first mean is 0 in a quarter of the draws and 1 in another: both ends of the interval.
    assert bootstrap(difference, [2, 2]) == (9.0, 10.0)
    assert bootstrap(difference, [2, 1]) is None


def test_a_bootstrap_interval_holds_the_truth_about_as_often_as_it_says():
    chance = random.Random(5)
    inside = 0
    for _ in range(200):
        values = [chance.gauss(1.0, 1.0) for _ in range(25)]
        low, high = bootstrap(lambda picks, of=values: sum(of[place] for place in picks[0]) / 25, [25], draws=300)
        inside += low <= 1.0 <= high
    assert 176 <= inside <= 199


def test_a_bootstrap_without_a_value_too_often_tells_nothing():
    assert bootstrap(lambda picks: None if picks[0] == [0, 0] else 1.0, [2]) is None  # a quarter of the draws
    assert bootstrap(lambda picks: None if picks[0] == [0] * 9 else 1.0, [9]) == (1.0, 1.0)

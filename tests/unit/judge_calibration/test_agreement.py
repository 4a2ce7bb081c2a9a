"""Figures of agreement: right on small tables, honest about what few or dependent answers are worth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.judge.calibration.agreement import JudgedQuestion, agreement, effective_number, rate
from webgym.store.statistics import wilson


def _table(both: int, false_positive: int, neither: int, false_negative: int) -> list[JudgedQuestion]:
    rows = [(True, True)] * both + [(False, True)] * false_positive
    rows += [(False, False)] * neither + [(True, False)] * false_negative
    return [JudgedQuestion(str(number), truth, judged) for number, (truth, judged) in enumerate(rows)]


def test_rates_of_a_known_table():
    found = agreement([*_table(40, 5, 45, 10), JudgedQuestion("x", True, None)])
    assert (found.true_positives, found.false_positives, found.true_negatives, found.false_negatives) == (40, 5, 45, 10)
    assert found.accuracy.estimate == 0.85
    assert found.precision.estimate == pytest.approx(40 / 45)
    assert found.recall.estimate == 0.8
    assert found.false_positive_rate.estimate == 0.1
    assert found.false_negative_rate.estimate == 0.2
    assert found.kappa.estimate == pytest.approx(0.7)  # chance agrees on half: (0.85 - 0.5) / 0.5
    assert found.answered.estimate == pytest.approx(100 / 101)
    assert (found.accuracy.low, found.accuracy.high) == wilson(85, 100)


def test_a_judge_that_always_says_success_is_no_better_than_chance():
    found = agreement(_table(50, 50, 0, 0))
    assert found.false_positive_rate.estimate == 1.0
    assert found.recall.estimate == 1.0
    assert found.kappa.estimate == 0.0


def test_no_error_in_the_sample_does_not_make_certainty():
    found = agreement(_table(15, 0, 15, 0))
    assert found.kappa.estimate == found.accuracy.estimate == 1.0
    assert found.kappa.low < found.accuracy.low < 0.9
    assert found.false_positive_rate.high > 0.15


def test_nothing_judged_says_nothing():
    found = agreement([JudgedQuestion("a", True, None)])
    assert found.judged == 0
    assert (found.accuracy.low, found.accuracy.high, found.accuracy.n) == (0.0, 1.0, 0)
    assert (found.kappa.low, found.kappa.high) == (-1.0, 1.0)


def test_facts_that_hang_together_are_worth_fewer():
    alike = [(str(cluster), cluster % 3 == 0) for cluster in range(30) for _ in range(5)]
    apart = [(str(number), number % 3 == 0) for number in range(150)]
    assert effective_number(apart) == 150
    assert effective_number(alike) == pytest.approx(30, abs=2)
    wide, narrow = rate(alike), rate(apart)
    assert wide.low < narrow.low < narrow.high < wide.high
    assert effective_number([("a", True), ("a", True), ("b", True)]) == 2, "without any spread, a cluster counts once"


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=60))
def test_an_interval_holds_its_estimate_and_stays_within_bounds(draws: list[tuple[str, bool]]):
    found = rate(draws)
    assert 0.0 <= found.low <= found.estimate <= found.high <= 1.0
    assert found.n == len(draws)


@pytest.mark.parametrize("wrong", [0.02, 0.1, 0.3])
def test_intervals_hold_the_truth_about_as_often_as_they_say(wrong: float):
    """Judges that err at a known rate, five facts to an attempt, whose errors hang together."""
    chance, held, kappas, samples = random.Random(7), 0, 0, 300
    # Half of what is asked is true and errors fall on both alike, so that chance agrees on half.
    kappa = 1 - 2 * wrong
    for _ in range(samples):
        answers: list[JudgedQuestion] = []
        for attempt in range(60):
            worse = wrong * chance.choice((0.5, 1.5))
            for _ in range(5):
                truth = chance.random() < 0.5
                answers.append(JudgedQuestion(str(attempt), truth, truth ^ (chance.random() < worse)))
        found = agreement(answers)
        held += found.accuracy.low <= 1 - wrong <= found.accuracy.high
        kappas += found.kappa.low <= kappa <= found.kappa.high
    assert held / samples >= 0.92
    assert kappas / samples >= 0.92

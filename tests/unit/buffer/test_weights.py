"""Aggregation weights, against figures worked out by hand and the published sums."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.buffer.weights import step_weights
from webgym.errors import ConfigError

AGGREGATIONS = ("per_trajectory", "constant", "token_mean", "step_mean")
lengths = st.lists(st.lists(st.integers(1, 50), min_size=1, max_size=8), min_size=1, max_size=8)


def slow(values, aggregation, k):
    """The published losses as nested loops over attempts, steps and tokens: values[i][j][t]."""
    count = len(values)
    match aggregation:
        case "per_trajectory":
            return sum(sum(sum(step) for step in one) / len(one) for one in values) / count
        case "constant":
            return sum(sum(sum(step) for step in one) for one in values) / (count * k)
        case "token_mean":
            tokens = [value for one in values for step in one for value in step]
            return sum(tokens) / len(tokens)
        case "step_mean":
            means = [sum(step) / len(step) for one in values for step in one]
            return sum(means) / len(means)
    raise AssertionError(aggregation)


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        ("per_trajectory", [[1 / 2], [1 / 4, 1 / 4]]),
        ("constant", [[1 / 20], [1 / 20, 1 / 20]]),
        ("token_mean", [[1 / 10], [1 / 10, 1 / 10]]),
        ("step_mean", [[1 / 6], [1 / 9, 1 / 15]]),
    ],
)
def test_a_small_batch_has_the_weights_worked_out_by_hand(aggregation, expected):
    found = step_weights([[2], [3, 5]], aggregation)
    assert [list(one) for one in found] == [pytest.approx(one) for one in expected]


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@settings(deadline=None)
@given(lengths=lengths, k=st.floats(0.5, 100), seed=st.integers(0, 2**16))
def test_weights_reproduce_the_published_sums(aggregation, lengths, k, seed):
    chance = random.Random(seed)
    values = [[[chance.randint(-9, 9) for _ in range(length)] for length in one] for one in lengths]
    weights = step_weights(lengths, aggregation, k)
    total = math.fsum(
        weight * sum(step)
        for of_attempt, one in zip(weights, values, strict=True)
        for weight, step in zip(of_attempt, one, strict=True)
    )
    assert total == pytest.approx(slow(values, aggregation, k), rel=1e-9, abs=1e-9)


def test_only_one_over_tau_makes_a_token_of_a_long_failure_count_less():
    ratio = {}
    for aggregation in AGGREGATIONS:
        success, failure = step_weights([[20] * 5, [20] * 12], aggregation)
        ratio[aggregation] = failure[0] / success[0]
    assert ratio == pytest.approx({"per_trajectory": 5 / 12, "constant": 1, "token_mean": 1, "step_mean": 1})


@pytest.mark.parametrize("aggregation", ["token_mean", "step_mean"])
@settings(deadline=None)
@given(lengths=lengths)
def test_means_have_weights_that_sum_up_to_one(aggregation, lengths):
    weights = step_weights(lengths, aggregation)
    total = math.fsum(w * n for ws, ns in zip(weights, lengths, strict=True) for w, n in zip(ws, ns, strict=True))
    assert total == pytest.approx(1)


def test_an_empty_batch_has_no_weights():
    assert step_weights([], "token_mean") == ()
    assert step_weights([[]], "per_trajectory") == ((),)


@pytest.mark.parametrize("k", [0, -1, math.nan, math.inf])
def test_a_constant_that_nothing_can_be_divided_by_is_refused(k):
    with pytest.raises(ConfigError):
        step_weights([[1]], "constant", k)

"""The difference between a sampler's logprobs and a trainer's, in figures."""

from __future__ import annotations

import math

import pytest

from webgym.inference.agreement import agreement


def test_equal_logprobs_agree():
    found = agreement([-1.0, -2.0], [-1.0, -2.0])
    assert (found.tokens, found.mean, found.p99, found.most, found.bias, found.kl) == (2, 0, 0, 0, 0, 0)
    assert (found.ratio_low, found.ratio_high) == (1, 1)


def test_differences_are_told_with_their_tail_their_bias_and_the_weights_that_come_of_them():
    sampler = [-1.0] * 200
    trainer = [-1.0] * 196 + [-0.5, -1.5, -0.9, -3.0]
    found = agreement(sampler, trainer)
    assert found.mean == pytest.approx((0.5 + 0.5 + 0.1 + 2.0) / 200)
    assert (found.p99, found.most) == (0.5, 2.0)
    assert found.bias == pytest.approx((0.5 - 0.5 + 0.1 - 2.0) / 200)
    terms = [math.exp(one) - 1 - one for one in (0.5, -0.5, 0.1, -2.0)]
    assert found.kl == pytest.approx(sum(terms) / 200)
    assert (found.ratio_low, found.ratio_high) == (pytest.approx(math.exp(-2)), pytest.approx(math.exp(0.5)))


def test_nothing_is_no_agreement_and_neither_are_lists_of_other_lengths():
    with pytest.raises(ValueError, match="no tokens"):
        agreement([], [])
    with pytest.raises(ValueError, match="shorter"):
        agreement([-1.0, -1.0], [-1.0])

"""The losses beside PPO, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch

from webgym.algorithms.losses.tokens import LossTokens
from webgym.algorithms.settings import Correction, LossSettings
from webgym.train.loss import policy_loss


def doubles(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def computed(settings: LossSettings, ratios: list[float], weights: list[float], rows: list[int]):
    current = doubles(*(math.log(ratio) - 1 for ratio in ratios)).requires_grad_()
    tokens = LossTokens(
        current,
        doubles(*weights),
        behaviour=doubles(*[-1.0] * len(ratios)),
        proximal=doubles(*[-1.0] * len(ratios)),
        rows=torch.tensor(rows),
    )
    loss, sums = policy_loss(tokens, settings)
    loss.backward()
    return float(loss.detach()), current.grad.tolist(), sums.report()


def test_gspo_clips_a_row_by_the_geometric_mean_of_its_ratios():
    settings = LossSettings(use="gspo", clip_low=0.1, clip_high=0.2)
    # The first row is at sqrt(2 * 0.5) = 1, though its tokens are not; the second is above, the third below its bound.
    loss, gradient, figures = computed(settings, [2, 0.5, 1.5, 1.5, 0.8], [1, 1, 1, 1, -1], [0, 0, 1, 1, 2])
    assert loss == pytest.approx(-(2 * 1 + 2 * 1.2) + 0.9)
    assert gradient == pytest.approx([-1, -1, 0, 0, 0])  # each token moves the ratio of its row by half, for two tokens
    assert figures.clip_share == pytest.approx(3 / 5)


def test_tokens_that_do_not_count_are_not_in_the_mean_of_a_row():
    settings = LossSettings(use="gspo", clip_low=None, clip_high=None)
    loss, _, _ = computed(settings, [1.1, 7.0], [1, 0], [0, 0])
    assert loss == pytest.approx(-1.1)


def test_cispo_weighs_the_policy_gradient_and_no_token_loses_it():
    settings = LossSettings(use="cispo", clip_low=0.5, clip_high=1.0)
    loss, gradient, figures = computed(settings, [3.0, 0.1, 1.5], [1, 2, -1], [0, 0, 1])
    assert gradient == pytest.approx([-2.0, -1.0, 1.5])
    logs = [math.log(ratio) - 1 for ratio in (3.0, 0.1, 1.5)]
    assert loss == pytest.approx(-2 * logs[0] - 1 * logs[1] + 1.5 * logs[2])
    assert (figures.max_ratio, figures.clip_share) == (pytest.approx(3.0), 0)


@pytest.mark.parametrize("use", ["gspo", "cispo", "examples.own_loss:spo"])
def test_what_goes_with_every_loss_goes_with_these_too(use):
    ratios, weights, rows = [1.0, 1.0], [1.0, -1.0], [0, 1]
    plain, _, _ = computed(LossSettings(use=use), ratios, weights, rows)
    lesser, _, _ = computed(LossSettings(use=use, negative=0.25), ratios, weights, rows)
    value = computed(LossSettings(use=use), ratios, [0.0, -1.0], rows)[0]
    assert lesser == pytest.approx(plain - 0.75 * value)
    masked = LossSettings(use=use, correction=Correction(use="mask", low=2.0, high=5.0))
    assert computed(masked, ratios, weights, rows)[0] == 0

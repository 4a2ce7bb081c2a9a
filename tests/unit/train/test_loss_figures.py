"""Diagnostics, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch

from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import Correction, LossSettings


def figures(settings=None, **columns):
    tensors = {name: torch.tensor(values, dtype=torch.float64) for name, values in columns.items()}
    return policy_loss(LossTokens(**tensors), settings or LossSettings())[1].report()


def test_shares_of_clipped_tokens_count_only_where_the_clip_stops_a_gradient():
    ratios = [1.5, 1.5, 0.5, 0.5, 1.0, 9.0, 1.5]
    weights = [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0]
    found = figures(
        LossSettings(dual_clip=3.0), current=[math.log(one) for one in ratios], proximal=[0.0] * 7, weights=weights
    )
    assert found.tokens == 6
    assert found.clip_share == pytest.approx(2 / 6)
    assert found.dual_clip_share == pytest.approx(1 / 6)
    assert found.max_ratio == pytest.approx(9)
    assert found.mean_ratio == pytest.approx(14 / 6)


def test_importance_weights_are_reported_as_they_were_before_any_bound():
    settings = LossSettings(correction=Correction(use="mask", high=5.0))
    weights = [1.0, 2.0, 0.5, 8.0]
    found = figures(
        settings,
        current=[0.0] * 4,
        proximal=[0.0] * 4,
        behaviour=[-math.log(one) for one in weights],
        weights=[1.0] * 4,
    )
    assert found.max_weight == pytest.approx(8)
    assert found.mean_weight == pytest.approx(11.5 / 4)
    assert found.outside_share == pytest.approx(1 / 4)
    assert found.effective_share == pytest.approx(11.5**2 / (1 + 4 + 0.25 + 64) / 4)


def test_equal_weights_are_a_full_sample_and_one_weight_among_many_is_one():
    settings = LossSettings(correction=Correction(use="full"))
    rest = {"current": [0.0] * 10, "proximal": [0.0] * 10, "weights": [1.0] * 10}
    assert figures(settings, behaviour=[-1.0] * 10, **rest).effective_share == pytest.approx(1)
    assert figures(settings, behaviour=[-19.0] + [0.0] * 9, **rest).effective_share == pytest.approx(0.1, abs=1e-5)


def test_divergences_are_k3_of_now_and_before_from_what_was_sampled():
    found = figures(
        current=[math.log(0.5)], proximal=[math.log(0.25)], behaviour=[math.log(0.125)], weights=[1.0], entropy=[1.25]
    )
    assert found.kl_behaviour == pytest.approx(4 - 1 - math.log(4))
    assert found.kl_mismatch == pytest.approx(2 - 1 - math.log(2))
    assert found.kl_reference == 0
    assert found.entropy == 1.25


def test_figures_of_parts_add_up_to_those_of_the_whole():
    settings = LossSettings(correction=Correction(use="clamp", high=2.0))

    def sums(*places):
        columns = {
            "current": [-0.1, -0.9, -0.2],
            "proximal": [-0.3, -0.3, -0.3],
            "behaviour": [-2.0, -0.1, -0.4],
            "weights": [1.0, -1.0, 0.5],
        }
        chosen = {name: torch.tensor([values[place] for place in places]) for name, values in columns.items()}
        return policy_loss(LossTokens(**chosen), settings)[1]

    parts, whole = (sums(0) + sums(1, 2)).report(), sums(0, 1, 2).report()
    for field in whole.__struct_fields__:
        assert getattr(parts, field) == pytest.approx(getattr(whole, field), rel=1e-6), field


def test_nothing_has_figures_too():
    assert figures(current=[], proximal=[], weights=[]).effective_share == 0

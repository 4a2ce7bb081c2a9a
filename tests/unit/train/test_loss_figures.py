"""Diagnostics, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch
from tests.unit.buffer.making import MAKER, attempt

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.records.trajectory import Blocked, Failure, Infrastructure, Success, Truncated
from webgym.train.diagnostics import attempt_figures, lags
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


def test_lags_are_counted_by_token():
    old, new = attempt("a", Success(), [2, 3], version=3), attempt("b", Failure(), [4], version=5)
    scored = score_group(Group("g", (old, new)), "grpo")
    assert isinstance(scored, ScoredGroup)
    assert lags(batch_of([scored], MAKER, Weighing(), version=5)) == {0: 4, 2: 5}


def test_attempts_are_told_apart_by_group_and_outcome():
    trajectories = [
        attempt("a", Success(), [1, 2], group="mixed"),
        attempt("b", Failure(), [5] * 4, group="mixed"),
        attempt("c", Truncated("steps"), [5] * 8, group="mixed"),
        attempt("d", Success(), [3], group="pass"),
        attempt("e", Success(), [2], group="pass"),
        attempt("f", Failure(), [1], group="fail"),
        attempt("g", Failure(), [1], group="fail"),
        attempt("h", Success(), [1], group="few"),
        attempt("i", Infrastructure("timeout"), [90] * 9, group="few"),
        attempt("j", Blocked("refused"), [90] * 9, group="few"),
    ]
    found = attempt_figures(trajectories)
    assert (found.groups, found.too_few, found.all_pass, found.all_fail) == (4, 0.25, 0.25, 0.25)
    assert found.masked == pytest.approx(0.2)
    assert (found.successes.attempts, found.failures.attempts) == (4, 4)
    assert found.successes.steps == pytest.approx(5 / 4)
    assert found.failures.steps == pytest.approx(14 / 4)
    assert found.successes.tokens == pytest.approx(9 / 4)
    assert found.failures.tokens_per_step == pytest.approx(62 / 14)


def test_nothing_has_figures_too():
    assert attempt_figures([]).groups == 0
    assert figures(current=[], proximal=[], weights=[]).effective_share == 0

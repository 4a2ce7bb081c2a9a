"""One suite for all losses and one for all estimators: what is built in, and the examples."""

from __future__ import annotations

import pytest
from examples.own_advantage import above_median
from examples.own_loss import spo

from webgym.algorithms.registry import ESTIMATORS, LOSSES, function_named
from webgym.testing.conformance import ADVANTAGE_CHECKS, LOSS_CHECKS, AdvantageExample, LossExample

pytestmark = pytest.mark.anyio
LOSS_CASES = {
    **{name: (function_named(name, LOSSES, ""), LossExample(detached=name == "cispo")) for name in LOSSES},
    "ppo with all its bounds": (
        function_named("ppo", LOSSES, ""),
        LossExample({"clip_low": 0.1, "clip_high": 0.28, "dual_clip": 1.5}),
    ),
    "gspo without bounds": (
        function_named("gspo", LOSSES, ""),
        LossExample({"clip_low": None, "clip_high": None}),
    ),
    "spo": (spo, LossExample({"epsilon": 0.1})),
}
ESTIMATOR_CASES = {
    **{name: (function_named(name, ESTIMATORS, ""), AdvantageExample()) for name in ESTIMATORS},
    "above_median": (above_median, AdvantageExample({"failure": 0.5})),
}


@pytest.mark.parametrize("check", LOSS_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LOSS_CASES)
async def test_it_behaves_like_a_loss(name, check):
    await check(*LOSS_CASES[name])


@pytest.mark.parametrize("check", ADVANTAGE_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", ESTIMATOR_CASES)
async def test_it_behaves_like_an_estimator(name, check):
    await check(*ESTIMATOR_CASES[name])

"""The loss, against figures worked out by hand and against a slow reference that shares no code with it."""

from __future__ import annotations

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.errors import TrainingError
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import Correction, LossSettings

DECOUPLED = LossSettings(dual_clip=3.0, correction=Correction(use="mask", high=5.0))
COUPLED = LossSettings(anchor="behaviour", dual_clip=3.0)
PLAIN = LossSettings(surrogate="logprob")

KINDS = {
    "decoupled, capped by a mask": DECOUPLED,
    "decoupled, capped by a clamp": LossSettings(dual_clip=3.0, correction=Correction(use="clamp", high=5.0)),
    "decoupled, uncapped": LossSettings(correction=Correction(use="full")),
    "decoupled, uncorrected": LossSettings(),
    "asymmetric": LossSettings(clip_low=0.2, clip_high=0.28, dual_clip=10.0),
    "unclipped": LossSettings(clip_low=None, clip_high=None),
    "clipped from above only": LossSettings(clip_low=None, clip_high=0.1),
    "coupled": COUPLED,
    "plain": PLAIN,
    "plain, TIS": LossSettings(surrogate="logprob", correction=Correction(use="clamp", high=2.0)),
    "IcePop": LossSettings(correction=Correction(use="mask", low=0.5, high=5.0)),
    "MIS by sequence": LossSettings(correction=Correction(use="mask", high=3.0, level="sequence")),
    "MIS by geometric mean": LossSettings(correction=Correction(use="mask", low=0.8, high=1.2, level="geometric")),
    "TIS by sequence": LossSettings(correction=Correction(use="clamp", high=2.0, level="sequence")),
    "with divergence": LossSettings(kl=0.3),
    "damped": LossSettings(damping=0.7, dual_clip=3.0, correction=Correction(use="mask", high=5.0)),
    "mostly better attempts": LossSettings(negative=0.25, dual_clip=3.0, kl=0.1),
    "plain with divergence": LossSettings(surrogate="logprob", kl=0.05),
}


def doubles(values):
    return torch.tensor(values, dtype=torch.float64)


def loss_of(settings, **columns) -> float:
    rows = columns.pop("rows", None)
    tensors = {name: doubles(values) for name, values in columns.items()}
    loss, _ = policy_loss(LossTokens(rows=None if rows is None else torch.tensor(rows), **tensors), settings)
    return float(loss)


def slow_loss(tokens, settings) -> float:
    """One token after the other, in the words of the papers: losses, not objectives."""
    total = 0.0
    for token in tokens:
        advantage, share = token["advantage"], token["share"]
        ratio = 1.0
        if settings.correction.use != "off":
            same_row = [one for one in tokens if one["row"] == token["row"]]
            logs = [one["proximal"] - one["behaviour"] for one in same_row]
            log = {
                "token": token["proximal"] - token["behaviour"],
                "sequence": sum(logs),
                "geometric": sum(logs) / len(logs),
            }[settings.correction.level]
            ratio = math.exp(max(-20, min(20, log)))
        low, high = settings.correction.low, settings.correction.high
        if settings.correction.use == "clamp":
            ratio = min(max(ratio, low), high)
        if settings.correction.use == "mask" and not low <= ratio <= high:
            ratio = 0.0
        if settings.use == "logprob":
            loss = -advantage * token["current"]
        else:
            rho = math.exp(token["current"] - token[settings.anchor])
            bottom = 0 if settings.clip_low is None else 1 - settings.clip_low
            top = math.inf if settings.clip_high is None else 1 + settings.clip_high
            loss = max(-advantage * rho, -advantage * min(max(rho, bottom), top))
            if advantage < 0 and settings.dual_clip is not None:
                loss = min(loss, settings.dual_clip * abs(advantage))
        looked_up = "current" if settings.use == "logprob" else settings.anchor
        loss *= settings.damping * math.exp(token[looked_up]) + (1 - settings.damping)
        loss *= settings.negative if advantage < 0 else 1
        total += share * ratio * loss
        if settings.kl:
            log = token["reference"] - token["current"]
            total += share * settings.kl * (math.exp(log) - log - 1)
    return total


def some_tokens(seed: int, count: int, spread: float = 1.5):
    chance = random.Random(seed)
    rows = sorted(chance.randrange(4) for _ in range(count))
    advantages = {row: chance.choice([-1.7, -0.6, 0.4, 1.0, 2.2]) for row in set(rows)}
    tokens = []
    for row in rows:
        behaviour = -chance.expovariate(1.0)
        near = {name: behaviour + chance.gauss(0, spread) for name in ("current", "proximal", "reference")}
        tokens.append(
            {"row": row, "advantage": advantages[row], "share": chance.random() / 9, "behaviour": behaviour} | near
        )
    return tokens


def columns_of(tokens):
    columns = {name: [one[name] for one in tokens] for name in ("current", "proximal", "behaviour", "reference")}
    columns["advantages"] = [one["advantage"] for one in tokens]
    columns["weights"] = [one["advantage"] * one["share"] for one in tokens]
    columns["rows"] = [one["row"] for one in tokens]
    return columns


@pytest.mark.parametrize("name", KINDS)
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**20), count=st.integers(1, 30))
def test_the_kernel_agrees_with_a_slow_reference(name, seed, count):
    tokens = some_tokens(seed, count)
    expected = slow_loss(tokens, KINDS[name])
    assert loss_of(KINDS[name], **columns_of(tokens)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("advantage", "ratio", "expected"),
    [
        (1.0, 1.0, -1.0),
        (1.0, 1.1, -1.1),
        (1.0, 1.5, -1.2),  # clipped
        (1.0, 0.5, -0.5),
        (-1.0, 1.0, 1.0),
        (-1.0, 0.5, 0.8),  # clipped
        (-1.0, 2.5, 2.5),
        (-1.0, 7.0, 3.0),  # dual clip
        (-0.5, 7.0, 1.5),
    ],
)
def test_clips_are_as_worked_out_by_hand(advantage, ratio, expected):
    settings = LossSettings(dual_clip=3.0)
    found = loss_of(settings, current=[math.log(ratio)], proximal=[0.0], weights=[advantage])
    assert found == pytest.approx(expected)


def test_decoupling_weighs_the_clipped_ratio_with_proximal_over_behaviour():
    columns = {"current": [math.log(1.5)], "proximal": [0.0], "behaviour": [-0.5], "weights": [1.0]}
    assert loss_of(DECOUPLED, **columns) == pytest.approx(-1.2 * math.exp(0.5))
    assert loss_of(COUPLED, **columns) == pytest.approx(-1.2)
    assert loss_of(LossSettings(), **columns) == pytest.approx(-1.2)


def test_an_asymmetric_clip_lets_ratios_rise_further_than_it_lets_them_fall():
    settings = LossSettings(clip_low=0.2, clip_high=0.28)
    assert loss_of(settings, current=[1.0], proximal=[0.0], weights=[1.0]) == pytest.approx(-1.28)
    assert loss_of(settings, current=[-1.0], proximal=[0.0], weights=[-1.0]) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("correction", "weights"),
    [
        (Correction(use="off"), [1, 1, 1, 1]),
        (Correction(use="full"), [0.25, 1, 4, 8]),
        (Correction(use="clamp", high=5), [0.25, 1, 4, 5]),
        (Correction(use="mask", high=5), [0.25, 1, 4, 0]),
        (Correction(use="clamp", high=2), [0.25, 1, 2, 2]),
        (Correction(use="mask", low=0.5, high=5), [0, 1, 4, 0]),
        (Correction(use="full", level="sequence"), [0.25, 0.25, 32, 32]),
        (Correction(use="mask", high=3, level="sequence"), [0.25, 0.25, 0, 0]),
        (Correction(use="full", level="geometric"), [0.5, 0.5, 32**0.5, 32**0.5]),
    ],
)
def test_importance_weights_are_as_worked_out_by_hand(correction, weights):
    ratios = [0.25, 1, 4, 8]
    for place, expected in enumerate(weights):
        found = loss_of(
            LossSettings(correction=correction),
            current=[0.0] * 4,
            proximal=[0.0] * 4,
            behaviour=[-math.log(one) for one in ratios],
            # The others must count for their row, and next to nothing in the sum.
            weights=[1.0 if one == place else 1e-12 for one in range(4)],
            rows=[0, 0, 1, 1],
        )
        assert -found == pytest.approx(expected, abs=1e-9)


def test_masking_a_token_does_not_change_what_the_others_count():
    columns = {"current": [0.1, 0.1], "proximal": [0.0, 0.0], "weights": [0.5, 0.5]}
    both = loss_of(DECOUPLED, behaviour=[0.0, 0.0], **columns)
    one = loss_of(DECOUPLED, behaviour=[0.0, -9.0], **columns)
    assert one == pytest.approx(both / 2)


def test_supervised_learning_is_the_mean_negative_logprob():
    logprobs = [-0.1, -2.0, -0.7, -1.2]
    assert loss_of(PLAIN, current=logprobs, weights=[0.25] * 4) == pytest.approx(1.0)


def test_damping_takes_improbable_tokens_for_less_and_its_own_weight_for_a_constant():
    current = doubles([math.log(0.1), math.log(0.8)]).requires_grad_()
    damped = LossSettings(surrogate="logprob", damping=0.5)
    loss, _ = policy_loss(LossTokens(current, doubles([1.0, -2.0])), damped)
    loss.backward()
    assert current.grad.tolist() == pytest.approx([-(1 - 0.5 * 0.9), 2 * (1 - 0.5 * 0.2)])


def test_the_divergence_is_weighed_like_a_token_of_advantage_one():
    settings = LossSettings(kl=0.5)
    at_rest = {"current": [0.0], "proximal": [0.0]}
    for advantage in (-2.0, 0.5, 3.0):
        plain = loss_of(LossSettings(), weights=[advantage * 0.25], **at_rest)
        columns = {"weights": [advantage * 0.25], "advantages": [advantage], "reference": [math.log(2)]}
        found = loss_of(settings, **at_rest, **columns)
        assert found - plain == pytest.approx(0.5 * 0.25 * (2 - 1 - math.log(2)))


@pytest.mark.parametrize("name", KINDS)
def test_tokens_of_weight_zero_count_nothing_whatever_is_said_about_them(name):
    tokens = some_tokens(5, 6)
    columns = columns_of(tokens)
    expected = loss_of(KINDS[name], **columns)
    broken = {key: [*values, math.nan] for key, values in columns.items() if key not in {"rows", "weights"}}
    found = loss_of(KINDS[name], weights=[*columns["weights"], 0.0], rows=[*columns["rows"], 3], **broken)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("name", KINDS)
def test_an_empty_micro_batch_has_no_loss(name):
    empty = {key: torch.zeros(0) for key in columns_of([]) if key != "rows"}
    loss, sums = policy_loss(LossTokens(rows=torch.zeros(0, dtype=torch.int64), **empty), KINDS[name])
    assert float(loss) == 0
    assert sums.report().tokens == 0


@pytest.mark.parametrize(
    ("settings_", "missing"),
    [
        (LossSettings(), "proximal"),
        (COUPLED, "behaviour"),
        (LossSettings(surrogate="logprob", correction=Correction(use="full")), "proximal"),
        (LossSettings(surrogate="logprob", kl=1.0), "reference"),
    ],
)
def test_a_loss_without_what_it_needs_says_what_is_missing(settings_, missing):
    with pytest.raises(TrainingError, match=missing):
        loss_of(settings_, current=[-1.0], weights=[1.0])


def test_logprobs_of_sixteen_bits_are_compared_in_thirty_two():
    near = torch.tensor([-1.0, -1.0], dtype=torch.bfloat16)
    loss, _ = policy_loss(LossTokens(current=near, proximal=near, weights=torch.ones(2)), LossSettings())
    assert loss.dtype == torch.float32
    assert float(loss) == -2.0

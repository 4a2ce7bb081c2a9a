"""Gradients of the loss: right, finite, and the same however a batch is cut up."""

from __future__ import annotations

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.train.test_loss import DECOUPLED, KINDS, PLAIN, columns_of, doubles, some_tokens

from webgym.train.diagnostics import TokenSums
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import Correction, LossSettings, Updates, plan_updates

FEATURES, VOCABULARY = 5, 7


def tokens_of(columns, current) -> LossTokens:
    named = {name: doubles(values) for name, values in columns.items() if name not in {"rows", "current"}}
    return LossTokens(current=current, rows=torch.tensor(columns["rows"]), **named)


@pytest.mark.parametrize("name", KINDS)
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 2**20))
def test_gradients_agree_with_finite_differences(name, seed):
    columns = columns_of(some_tokens(seed, 8))
    current = doubles(columns["current"]).requires_grad_()
    loss, _ = policy_loss(tokens_of(columns, current), KINDS[name])
    loss.backward()
    step = 1e-6
    for place in range(8):
        moved = []
        for sign in (1, -1):
            nudged = current.detach().clone()
            nudged[place] += sign * step
            moved.append(float(policy_loss(tokens_of(columns, nudged), KINDS[name])[0]))
        slope = (moved[0] - moved[1]) / (2 * step)
        # At the edge of a clip the slope is of neither side.
        edges = [math.log(1 - 0.2), math.log(1.2), math.log(1.28), math.log(1.1), math.log(3), math.log(10)]
        distances = [float(current[place].detach()) - columns[anchor][place] for anchor in ("proximal", "behaviour")]
        if min(abs(one - edge) for one in distances for edge in edges) > 1e-4:
            assert float(current.grad[place]) == pytest.approx(slope, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("advantage", "ratio", "flows"),
    [(1.0, 1.1, True), (1.0, 1.5, False), (1.0, 0.1, True), (-1.0, 0.5, False), (-1.0, 2.0, True), (-1.0, 9.0, False)],
)
def test_a_clip_stops_the_gradient_where_it_holds(advantage, ratio, flows):
    current = doubles([math.log(ratio)]).requires_grad_()
    loss, _ = policy_loss(
        LossTokens(current=current, proximal=doubles([0.0]), weights=doubles([advantage])), LossSettings(dual_clip=3.0)
    )
    loss.backward()
    assert float(current.grad[0]) == pytest.approx(-advantage * ratio if flows else 0.0)


def test_the_first_step_on_policy_has_the_gradient_of_plain_policy_gradient():
    logprobs, weights = [-0.3, -1.5, -0.01], [0.5, -0.25, 1.0]
    gradients = []
    for settings_ in (LossSettings(dual_clip=3.0), LossSettings(anchor="behaviour"), DECOUPLED, PLAIN):
        current = doubles(logprobs).requires_grad_()
        old = doubles(logprobs)
        loss, _ = policy_loss(
            LossTokens(current=current, proximal=old, behaviour=old, weights=doubles(weights)), settings_
        )
        loss.backward()
        gradients.append(current.grad.tolist())
    assert gradients == [pytest.approx([-one for one in weights])] * 4


def test_no_gradient_flows_into_the_importance_weight():
    current = doubles([-1.0]).requires_grad_()
    proximal, behaviour = doubles([-1.0]).requires_grad_(), doubles([-2.0]).requires_grad_()
    settings_ = LossSettings(surrogate="logprob", correction=Correction(use="full"))
    loss, _ = policy_loss(
        LossTokens(current=current, proximal=proximal, behaviour=behaviour, weights=doubles([1.0])), settings_
    )
    loss.backward()
    assert float(current.grad[0]) == pytest.approx(-math.e)
    assert proximal.grad is None
    assert behaviour.grad is None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", KINDS)
def test_logprobs_that_lie_far_apart_stay_finite(name, dtype):
    far = [(c, p, b, r) for c in (-50, 0, -500) for p in (-50, 0, -500) for b in (-50, 0, -500) for r in (-50, 0)]
    for advantage in (1.0, -1.0):
        names = ("current", "proximal", "behaviour", "reference")
        columns = dict(zip(names, (torch.tensor(one, dtype=dtype) for one in zip(*far, strict=True)), strict=True))
        columns["current"].requires_grad_()
        columns["weights"] = columns["advantages"] = torch.full((len(far),), advantage, dtype=dtype)
        loss, sums = policy_loss(LossTokens(rows=torch.arange(len(far)), **columns), KINDS[name])
        loss.backward()
        assert math.isfinite(float(loss.detach()))
        assert torch.isfinite(columns["current"].grad).all()
        assert torch.isfinite(sums.sums).all()


class Linear:
    """A tiny policy: logits are a linear function of a few features."""

    def __init__(self, seed: int, rows: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        chance = random.Random(seed)
        self.weight = torch.randn(VOCABULARY, FEATURES, generator=generator, dtype=torch.float64).requires_grad_()
        self.rows = []
        for row in range(rows):
            length = chance.randint(1, 6)
            features = torch.randn(length, FEATURES, generator=generator, dtype=torch.float64)
            sampled = torch.tensor([chance.randrange(VOCABULARY) for _ in range(length)])
            old = torch.log_softmax(features @ self.weight.detach().T, dim=-1)
            old = old.gather(1, sampled[:, None])[:, 0]
            shifts = 0.5 * torch.randn(3, length, generator=generator, dtype=torch.float64)
            advantage = chance.choice([-1.5, 0.7])
            share = chance.random() / rows
            self.rows.append(
                (row, features, sampled, old + shifts[0], old + shifts[1], old + shifts[2], advantage, share)
            )

    def add_gradient(self, places, settings_, scale=1.0) -> TokenSums:
        """Backward through some of the rows, packed one behind the other."""
        some = [self.rows[place] for place in places]
        features = torch.cat([one[1] for one in some])
        sampled = torch.cat([one[2] for one in some])
        current = torch.log_softmax(features @ self.weight.T, dim=-1).gather(1, sampled[:, None])[:, 0]
        lengths = torch.tensor([len(one[2]) for one in some])
        advantages = doubles([one[6] for one in some]).repeat_interleave(lengths)
        shares = doubles([one[7] for one in some]).repeat_interleave(lengths)
        loss, sums = policy_loss(
            LossTokens(
                current=current,
                weights=advantages * shares,
                proximal=torch.cat([one[3] for one in some]),
                behaviour=torch.cat([one[4] for one in some]),
                reference=torch.cat([one[5] for one in some]),
                advantages=advantages,
                rows=torch.arange(len(some)).repeat_interleave(lengths),
            ),
            settings_,
        )
        (loss * scale).backward()
        return sums

    def gradient(self, parts, settings_, scale=1.0):
        self.weight.grad = None
        sums = None
        for part in parts:
            found = self.add_gradient(part, settings_, scale)
            sums = found if sums is None else sums + found
        return self.weight.grad.clone(), sums


@pytest.mark.parametrize("name", KINDS)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**20), rows=st.integers(1, 12), cuts=st.integers(1, 12), width=st.integers(1, 4))
def test_neither_micro_batches_nor_processes_change_the_gradient_or_the_figures(name, seed, rows, cuts, width):
    policy, chance = Linear(seed, rows), random.Random(seed)
    whole, figures = policy.gradient([range(rows)], KINDS[name])
    order = list(range(rows))
    chance.shuffle(order)
    micro = [part for part in (order[place::cuts] for place in range(cuts)) if part]
    cut, cut_figures = policy.gradient(micro, KINDS[name])
    assert torch.allclose(cut, whole, rtol=1e-9, atol=1e-12)
    # Each process has its share of the micro-batches; gradients are summed.
    by_process = [policy.gradient(micro[rank::width], KINDS[name])[0] for rank in range(width) if micro[rank::width]]
    assert torch.allclose(sum(by_process), whole, rtol=1e-9, atol=1e-12)
    for field in figures.report().__struct_fields__:
        assert getattr(cut_figures.report(), field) == pytest.approx(getattr(figures.report(), field), rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**20), rows=st.integers(1, 12), minibatches=st.integers(1, 5))
def test_the_minibatches_of_an_epoch_average_to_the_whole_batch(seed, rows, minibatches):
    policy = Linear(seed, rows)
    whole, _ = policy.gradient([range(rows)], DECOUPLED)
    plan = plan_updates(rows, Updates(minibatches=minibatches, epochs=2), seed)
    for epoch in (0, 1):
        parts = [one for one in plan if one.epoch == epoch]
        gradients = [policy.gradient([one.rows], DECOUPLED, one.scale)[0] for one in parts]
        assert torch.allclose(sum(gradients) / len(gradients), whole, rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**20), factor=st.floats(0.1, 10))
def test_scaling_the_weights_scales_loss_and_gradient(seed, factor):
    columns = columns_of(some_tokens(seed, 10))
    scaled = columns | {"weights": [one * factor for one in columns["weights"]]}
    found = []
    for one in (columns, scaled):
        current = doubles(one["current"]).requires_grad_()
        loss, _ = policy_loss(tokens_of(one, current), DECOUPLED)
        loss.backward()
        found.append((float(loss.detach()), current.grad))
    assert found[1][0] == pytest.approx(found[0][0] * factor, rel=1e-9, abs=1e-12)
    assert torch.allclose(found[1][1], found[0][1] * factor)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**20))
def test_the_order_of_tokens_does_not_matter(seed):
    tokens = some_tokens(seed, 12)
    shuffled = tokens[:]
    random.Random(seed).shuffle(shuffled)
    for settings_ in KINDS.values():
        losses = [
            float(policy_loss(tokens_of(columns, doubles(columns["current"])), settings_)[0])
            for columns in map(columns_of, (tokens, shuffled))
        ]
        assert losses[0] == pytest.approx(losses[1], rel=1e-9, abs=1e-12)

"""Losses, their gradients and advantages of the settings that there always were, bit by bit."""

from __future__ import annotations

import random

import pytest
import torch
from tests.golden.algorithms.former_advantages import former_advantages
from tests.golden.algorithms.former_loss import former_loss
from tests.unit.train.test_loss import KINDS

from webgym.buffer.advantages import DroppedGroup, score
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import PRESETS

TOKENS, ROWS = 203, 9
FORMER = ("webgym-fbc", "asyncwebrl-grpo", "grpo-1-over-tau", "rloo", "dr-grpo")
SETTINGS = {**KINDS, **{name: PRESETS[name].loss for name in FORMER}}


def tokens(seed: int, dtype: torch.dtype) -> LossTokens:
    """Ratios near 1 and far from it, tokens that do not count, and rows of any length."""
    chance = torch.Generator().manual_seed(seed)

    def near(logprobs: torch.Tensor, by: float) -> torch.Tensor:
        return (logprobs + by * torch.randn(TOKENS, generator=chance)).clamp(max=0).to(dtype)

    behaviour = -3 * torch.rand(TOKENS, generator=chance)
    rows = torch.randint(ROWS, (TOKENS,), generator=chance).sort().values
    advantages = (torch.rand(ROWS, generator=chance) * 3 - 1.5)[rows]
    counts = torch.rand(TOKENS, generator=chance) > 0.1
    shares = (torch.rand(ROWS, generator=chance) / 80)[rows]
    return LossTokens(
        current=near(behaviour, 0.8).requires_grad_(),
        weights=torch.where(counts, advantages * shares, 0.0).float(),
        behaviour=behaviour.to(dtype),
        proximal=near(behaviour, 0.5),
        reference=near(behaviour, 0.6),
        advantages=advantages.float(),
        rows=rows,
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", SETTINGS)
def test_losses_and_their_gradients_have_not_changed_by_a_bit(name, dtype):
    for seed in range(5):
        now, before = tokens(seed, dtype), tokens(seed, dtype)
        loss, _ = policy_loss(now, SETTINGS[name])
        former = former_loss(before, SETTINGS[name])
        assert torch.equal(loss, former)
        loss.backward()
        former.backward()
        assert torch.equal(now.current.grad, before.current.grad)
        assert now.current.grad.count_nonzero()


@pytest.mark.parametrize("estimator", ["grpo", "dr_grpo", "rloo", "maxrl", "reward"])
def test_advantages_have_not_changed_by_a_bit(estimator):
    chance = random.Random(22)
    worths = [0.0, 1.0, 0.0, 1.0, None, 0.25, 1 / 3]
    for size in range(1, 12):
        for _ in range(60):
            rewards = [chance.choice(worths) for _ in range(size)]
            found = score(rewards, estimator)
            told = found.reason if isinstance(found, DroppedGroup) else found.advantages
            assert told == former_advantages(rewards, estimator)

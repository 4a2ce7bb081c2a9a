"""Advantages and loss of the real AReaL against ours, and what its defaults do instead."""

from __future__ import annotations

import functools
import math
import random

import pytest
import torch
from areal.api.cli_args import NormConfig, PPOActorConfig, RejectionSamplingConfig
from areal.trainer.ppo.actor import PPOActor
from areal.utils.data import Normalization
from areal.utils.functional import ppo_actor_loss_fn

from webgym.buffer.advantages import GroupAdvantages, score
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import Correction, LossSettings

MASK = RejectionSamplingConfig(level="token", action="mask", metric="ratio", upper=5.0)
CLAMP = RejectionSamplingConfig(level="token", action="clamp", metric="ratio", upper=5.0)
ICEPOP = RejectionSamplingConfig(level="token", action="mask", metric="ratio", upper=5.0, lower=0.5)
GEOMETRIC = RejectionSamplingConfig(level="sequence", action="mask", metric="ratio", agg="mean", upper=1.3, lower=0.8)

KINDS = {
    "AsyncWebRL's: cap by a mask, dual clip": (
        MASK,
        {"eps_clip": 0.2, "c_clip": 3.0},
        LossSettings(dual_clip=3.0, correction=Correction(use="mask", high=5.0)),
    ),
    "cap by a clamp": (CLAMP, {"eps_clip": 0.2}, LossSettings(correction=Correction(use="clamp", high=5.0))),
    "IcePop": (ICEPOP, {"eps_clip": 0.2}, LossSettings(correction=Correction(use="mask", low=0.5, high=5.0))),
    "asymmetric clip": (
        MASK,
        {"eps_clip": 0.2, "eps_clip_higher": 0.28, "c_clip": 10.0},
        LossSettings(clip_low=0.2, clip_high=0.28, dual_clip=10.0, correction=Correction(use="mask", high=5.0)),
    ),
    "geometric mean of a row": (
        GEOMETRIC,
        {"eps_clip": 0.2},
        LossSettings(correction=Correction(use="mask", low=0.8, high=1.3, level="geometric")),
    ),
}


def actor(**changes) -> PPOActor:
    settings = {"kl_ctl": 0.0, "reward_norm": None, "adv_norm": None, "reward_clip": 1e6, "use_decoupled_loss": True}
    config = PPOActorConfig(experiment_name="x", trial_name="y", path="", **{**settings, **changes})
    return PPOActor(config, engine=None)


def rows(rewards: list[float], seed: int = 0) -> dict[str, torch.Tensor]:
    """Prompts and replies of any length, padded on the right."""
    chance = random.Random(seed)
    shapes = [(chance.randint(1, 6), chance.randint(1, 5)) for _ in rewards]
    length = max(map(sum, shapes))

    def padded(make, fill=0.0):
        return torch.tensor([[*make(p, s), *[fill] * (length - p - s)] for p, s in shapes])

    return {
        "input_ids": padded(lambda p, s: [1] * (p + s), 0).long(),
        "attention_mask": padded(lambda p, s: [1] * (p + s), 0).bool(),
        "loss_mask": padded(lambda p, s: [0] * p + [1] * s, 0).int(),
        "logprobs": padded(lambda p, s: [0.0] * p + [-chance.random() for _ in range(s)]),
        "versions": padded(lambda p, s: [-1] * p + [0] * s, -1).int(),
        "rewards": torch.tensor(rewards),
    }


@pytest.mark.parametrize("seed", range(8))
def check_a_rows_reward_is_the_advantage_of_each_of_its_sampled_tokens_and_of_no_other(seed: int):
    chance = random.Random(seed)
    rewards = [chance.uniform(-30, 30) for _ in range(6)]
    batch = rows(rewards, seed)
    said = batch["loss_mask"].clone()
    [made] = actor().compute_advantages([batch])
    # AReaL moves everything by one place: a token's loss stands where it is predicted from.
    expected = torch.roll(said, -1, 1).float() * torch.tensor(rewards)[:, None]
    assert torch.equal(made["loss_mask"], torch.roll(said, -1, 1).float())
    assert torch.allclose(made["advantages"] * made["loss_mask"], expected, rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def check_the_loss_and_its_gradient_are_ours(kind: str, seed: int):
    rejection, clips, ours = KINDS[kind]
    make = torch.Generator().manual_seed(seed)
    count, width = 5, 7

    def draw(spread: float) -> torch.Tensor:
        return torch.randn(count, width, generator=make, dtype=torch.float64) * spread

    behaviour = -draw(1.0).abs() - 0.5
    proximal = behaviour + draw(0.8)
    current = (proximal + draw(0.4)).requires_grad_()
    mask = torch.rand(count, width, generator=make) > 0.3
    mask[:, 0] = True
    advantages = draw(1.0)[:, :1].expand(-1, width)
    theirs, _ = ppo_actor_loss_fn(
        logprobs=current,
        proximal_logprobs=proximal,
        old_logprobs=behaviour,
        advantages=advantages,
        loss_mask=mask,
        rejection_sampling=rejection,
        **clips,
    )
    [their_gradient] = torch.autograd.grad(theirs, current)
    tokens = LossTokens(
        current=current.flatten(),
        weights=(torch.where(mask, advantages, 0.0) / mask.sum()).flatten(),
        behaviour=behaviour.flatten(),
        proximal=proximal.flatten(),
        rows=torch.arange(count).repeat_interleave(width),
    )
    loss, figures = policy_loss(tokens, ours)
    [our_gradient] = torch.autograd.grad(loss, current)
    assert float(theirs) == pytest.approx(float(loss), rel=1e-6)
    # AReaL computes importance weights in 32 bits.
    assert torch.allclose(their_gradient, our_gradient, rtol=1e-5, atol=1e-8)
    assert figures is not None


def check_trap_1_without_rejection_sampling_the_importance_weight_is_left_out():
    one = functools.partial(torch.full, (1, 1))
    given = {
        "logprobs": one(-1.0),
        "proximal_logprobs": one(-1.0),
        "old_logprobs": one(-1.5),
        "advantages": one(1.0),
        "loss_mask": torch.ones(1, 1, dtype=torch.bool),
        "eps_clip": 0.2,
    }
    left_out, _ = ppo_actor_loss_fn(**given, rejection_sampling=None)
    put_in, _ = ppo_actor_loss_fn(**given, rejection_sampling=MASK)
    assert float(left_out) == pytest.approx(-1.0)
    assert float(put_in) == pytest.approx(-math.exp(0.5), rel=1e-5)
    ours, _ = policy_loss(
        LossTokens(torch.tensor([-1.0]), torch.tensor([1.0]), torch.tensor([-1.5]), torch.tensor([-1.0])),
        LossSettings(correction=Correction(use="mask", high=5.0)),
    )
    assert float(put_in) == pytest.approx(float(ours), rel=1e-6)
    assert PPOActorConfig(experiment_name="x", trial_name="y", path="").rejection_sampling is None


def check_trap_2_groups_by_place_make_advantages_of_a_hundred_thousand():
    norm = NormConfig(mean_level="group", std_level="group", group_size=4)
    # Two groups of 4, of which one attempt was lost: 7 rows, and the last group is short.
    found = Normalization(norm)(torch.tensor([1.0, 0, 0, 0, 1, 0, 1, 1, 1]))
    assert found.abs().max() > 50_000
    match score([1.0, 0, 0, 0], "grpo"), score([1.0, 0, 1, None], "grpo"):
        case GroupAdvantages(first), GroupAdvantages(second):
            assert max(abs(one) for one in (*first, *second) if one is not None) < 2
            assert second[3] is None
        case _:
            raise AssertionError


def check_trap_3_normalising_rows_of_steps_weighs_attempts_by_their_length():
    # One success of 2 steps, one failure of 6: by attempts +1 and -1.
    rows_of_steps = torch.tensor([1.0] * 2 + [0.0] * 6)
    found = Normalization(NormConfig(mean_level="batch", std_level="batch", group_size=8))(rows_of_steps)
    assert abs(float(found[0]) + float(found[-1])) > 0.5
    match score([1.0, 0.0], "grpo"):
        case GroupAdvantages(advantages):
            assert advantages == pytest.approx((1.0, -1.0), rel=1e-4)
        case _:
            raise AssertionError


def check_defaults_that_change_advantages_are_what_we_believe_them_to_be():
    found = PPOActorConfig(experiment_name="x", trial_name="y", path="")
    assert (found.kl_ctl, found.reward_clip, found.use_decoupled_loss) == (0.1, 20.0, False)
    batch = rows([25.0, -25.0])
    [made] = actor(reward_clip=20.0).compute_advantages([batch])
    assert made["advantages"].abs().max() == pytest.approx(20.0)

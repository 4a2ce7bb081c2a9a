"""Checks for settings that AReaL accepts, but that silently change what is trained on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webgym.errors import ConfigError
from webgym.run.config import RunConfig

SPARE_SECONDS = 120.0
"""Allowance for the judge and the store after an attempt's time limit."""


def check_areal(config: Any, run: RunConfig) -> None:
    """Check a configuration that AReaL itself has accepted.

    Args:
        config: A `WebgymConfig`.
        run: The configuration that `webgym.run` names.

    Raises:
        ConfigError: Names everything that has to change.
    """
    problems = [*_rows(config), *_loss(config.actor), *_sampling(config), *_time(config, run), *_sizes(config, run)]
    if problems:
        raise ConfigError(
            "AReaL would accept this configuration but train incorrectly. Change these settings:\n  "
            + "\n  ".join(problems)
        )


def _rows(config: Any) -> Iterator[str]:
    """Check what depends on our rows: a row is a step, we form the groups, and rewards already are advantages."""
    actor = config.actor
    slices = "AReaL's groups are slices of rows, and rows are steps"
    yield from _wrong(
        {
            "gconfig.n_samples must be 1: an episode is a whole group, of webgym.members attempts": (
                config.gconfig.n_samples != 1
            ),
            f"actor.reward_norm must be null: {slices}": actor.reward_norm is not None,
            f"actor.adv_norm must be null: {slices}": actor.adv_norm is not None,
            "actor.kl_ctl must be 0 (AReaL's default is 0.1): it would be added to the advantages": actor.kl_ctl != 0,
            "actor.reward_scaling must be 1 and actor.reward_bias 0: rewards are advantages already": (
                (actor.reward_scaling, actor.reward_bias) != (1.0, 0.0)
            ),
            "actor.reward_clip must be at least 1000: AReaL's default of 20 cuts off advantages of rare successes": (
                actor.reward_clip < 1_000
            ),
            "actor.overlong_reward_penalty and actor.mask_no_eos_with_zero must be false": (
                actor.overlong_reward_penalty or actor.mask_no_eos_with_zero
            ),
            "actor.discount and actor.gae_lambda must be 1: all tokens of a step share its advantage": (
                (actor.discount, actor.gae_lambda) != (1.0, 1.0)
            ),
            "critic must be null": config.critic is not None,
            "dynamic_bs must be false: groups that are dropped are replaced": config.dynamic_bs,
        }
    )


def _loss(actor: Any) -> Iterator[str]:
    yield from _wrong(
        {
            "actor.use_decoupled_loss must be true: the training data was sampled by older weights": (
                not actor.use_decoupled_loss
            ),
            "actor.rejection_sampling must be set: without it AReaL leaves out the importance weight of the decoupled "
            "loss altogether; {level: token, action: mask, metric: ratio, upper: 5.0} is AsyncWebRL's": (
                actor.rejection_sampling is None
            ),
            "actor.recompute_logprob must be true, or actor.prox_logp_method loglinear": (
                actor.prox_logp_method == "recompute" and not actor.recompute_logprob
            ),
            "actor.mb_spec.granularity must be 1: rows are steps, and groups have any number of them": (
                actor.mb_spec.granularity != 1
            ),
        }
    )


def _sampling(config: Any) -> Iterator[str]:
    wanted = config.gconfig
    if wanted.greedy or wanted.top_p != 1.0 or wanted.top_k < 1_000_000 or wanted.frequency_penalty:
        yield "gconfig must sample from the whole distribution: greedy false, top_p 1, top_k and penalties at default"
    if wanted.temperature != 1.0 or config.actor.temperature != 1.0:
        yield (
            "gconfig.temperature and actor.temperature must be 1: servers report logprobs of the distribution without "
            "temperature"
        )
    if config.rollout.max_head_offpolicyness < 1:
        yield "rollout.max_head_offpolicyness must be 1 or more: 0 is synchronous, which `webgym train` does"


def _time(config: Any, run: RunConfig) -> Iterator[str]:
    """Check the time limits: AReaL applies its request timeout to whole episodes, and a rejected one keeps running."""
    needed = run.limits.wall_seconds + SPARE_SECONDS
    if config.rollout.request_timeout < needed:
        yield (
            f"rollout.request_timeout ({config.rollout.request_timeout:.0f} s) limits whole episodes, not only "
            f"requests: it must be at least limits.wall_seconds of the run plus {SPARE_SECONDS:.0f} s, {needed:.0f} s"
        )


def _sizes(config: Any, run: RunConfig) -> Iterator[str]:
    actor, rollout, groups = config.actor, config.rollout, config.train_dataset.batch_size
    width = replicas(actor.backend)
    at_once = (rollout.max_concurrent_rollouts or groups) * config.webgym.members
    room = run.browser.sessions * replicas(rollout.backend)
    yield from _wrong(
        {
            "actor.backend must be fsdp: images by reference are resolved in its actor": _kind(actor.backend) != "fsdp",
            "actor._version and rollout._version must be v1": (
                {getattr(one, "_version", "v1") for one in (actor, rollout)} != {"v1"}
            ),
            "rollout.backend must be sglang or vllm": _kind(rollout.backend) not in {"sglang", "vllm"},
            f"train_dataset.batch_size ({groups} groups) must be a multiple of the {width} data-parallel ranks": (
                groups % width != 0
            ),
            "rollout.consumer_batch_size must be train_dataset.batch_size: ages are counted in batches": (
                rollout.consumer_batch_size != groups
            ),
            "actor.mb_spec.max_tokens_per_mb must be at least gconfig.max_tokens: a longer row ends the training job": (
                (actor.mb_spec.max_tokens_per_mb or 10**12) < config.gconfig.max_tokens
            ),
            f"rollout.max_concurrent_rollouts asks for {at_once} concurrent attempts, but the workers have {room} "
            "sessions (browser.sessions of the run, per worker): the rest would wait while their time limit runs": (
                at_once > room
            ),
            "rollout.check_trajectory_format must be false: it does not support images by reference": (
                rollout.check_trajectory_format and config.webgym.pictures == "reference"
            ),
        }
    )


def _wrong(found: dict[str, bool]) -> list[str]:
    return [problem for problem, true in found.items() if true]


def _kind(backend: str) -> str:
    """Return the kind of a backend: `fsdp` of `fsdp:d8`."""
    return str(backend).partition(":")[0]


def replicas(backend: str) -> int:
    """Return the number of model replicas of a backend: 4 of `sglang:d4t2`."""
    found = re.search(r"d(\d+)", str(backend).partition(":")[2])
    return int(found.group(1)) if found else 1

"""Advantages of a group, or why it has no learning signal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from webgym.algorithms.advantages.chosen import estimator_of
from webgym.algorithms.advantages.estimated import estimated
from webgym.algorithms.advantages.estimator import Estimator, Member
from webgym.algorithms.advantages.rewards import alike, mean
from webgym.records.base import Variant

FEWEST = 2
"""Minimum number of members with a reward: with fewer there is nothing to compare."""

T = TypeVar("T")
DropReason = Literal["too_few", "all_pass", "all_fail", "no_signal"]


class GroupAdvantages(Variant, frozen=True, tag="scored"):
    """Advantages of a group with a learning signal."""

    advantages: tuple[float | None, ...]
    """In the order of the members; None for members without a reward, which do not affect the others."""
    of_steps: tuple[tuple[float, ...] | None, ...] = ()
    """Advantages of the steps of each member, whose mean is its own; empty: each step has that of its member."""


class DroppedGroup(Variant, frozen=True, tag="dropped"):
    """A group without a learning signal."""

    reason: DropReason


def score(
    rewards: Sequence[float | None], estimator: Estimator | str, states: Sequence[tuple[str, ...]] = ()
) -> GroupAdvantages | DroppedGroup:
    """Compute the advantage of every member relative to the members that have a reward.

    Args:
        rewards: Reward of each member; None: it has none.
        estimator: The estimator, or the name of one.
        states: The states that the steps of each member began in; empty: one step each, all from the same state.

    Raises:
        ConfigError: The estimator cannot be imported, or returned something else than advantages.
    """
    chosen = estimator_of(estimator) if isinstance(estimator, str) else estimator
    began = states or [("",)] * len(rewards)
    members = [Member(reward, seen) for reward, seen in zip(rewards, began, strict=True) if reward is not None]
    if (reason := _why_not([member.reward for member in members], chosen)) is not None:
        return DroppedGroup(reason)
    found = estimated(chosen, members)
    steps = [advantages for advantages in found if isinstance(advantages, tuple)]
    whole = [_mean(advantage) if isinstance(advantage, tuple) else advantage for advantage in found]
    if chosen.compares and not any(value for values in steps or [whole] for value in values):
        return DroppedGroup("no_signal")
    return GroupAdvantages(_placed(whole, rewards), _placed(steps, rewards) if steps else ())


def _why_not(valid: Sequence[float], estimator: Estimator) -> DropReason | None:
    if not estimator.compares:
        return None if valid else "too_few"
    if len(valid) < FEWEST:
        return "too_few"
    if alike(valid):
        return "all_pass" if valid[0] >= 1 else "all_fail"
    return None


def _mean(of_steps: Sequence[float]) -> float:
    return mean(of_steps) if of_steps else 0.0


def _placed(found: Sequence[T], rewards: Sequence[float | None]) -> tuple[T | None, ...]:
    """Put what was found for the members with a reward back into the order of all."""
    left = iter(found)
    return tuple(None if reward is None else next(left) for reward in rewards)

"""Group-relative advantages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from webgym.records.base import Variant
from webgym.records.sample import Estimator

EPSILON = 1e-6
"""Added to the standard deviation before dividing by it."""
FEWEST = 2
"""Minimum number of members with a reward: with fewer there is nothing to compare."""

DropReason = Literal["too_few", "all_pass", "all_fail"]


class Scored(Variant, frozen=True):
    """Advantages of a group with a learning signal."""

    advantages: tuple[float | None, ...]
    """In the order of the members; None for members without a reward, which do not affect the others."""


class Dropped(Variant, frozen=True):
    """A group without a learning signal."""

    reason: DropReason


def score(rewards: Sequence[float | None], estimator: Estimator) -> Scored | Dropped:
    """Compute the advantage of every member relative to the members that have a reward."""
    valid = [one for one in rewards if one is not None]
    if (reason := _why_not(valid, estimator)) is not None:
        return Dropped(reason)
    advantage = _advantages(valid, estimator)
    return Scored(tuple(None if one is None else advantage[one] for one in rewards))


def _why_not(valid: Sequence[float], estimator: Estimator) -> DropReason | None:
    if estimator == "reward":
        return None if valid else "too_few"
    if len(valid) < FEWEST:
        return "too_few"
    if min(valid) == max(valid):
        return "all_pass" if valid[0] >= 1 else "all_fail"
    return None


def _advantages(valid: Sequence[float], estimator: Estimator) -> dict[float, float]:
    """Map rewards to advantages. Sums use `fsum`, so that the order of the members does not matter."""
    count, total = len(valid), math.fsum(valid)
    mean = total / count
    match estimator:
        case "grpo":
            # Means over branches may differ by very little. Rewards of 0 and 1 that differ at all deviate by this much.
            least = math.sqrt(count - 1) / count
            deviation = max(least, math.sqrt(math.fsum((one - mean) ** 2 for one in valid) / count))
            return {one: (one - mean) / (deviation + EPSILON) for one in valid}
        case "dr_grpo":
            return {one: one - mean for one in valid}
        case "rloo":
            return {one: one - (total - one) / (count - 1) for one in valid}
        case "maxrl":
            return {one: (one - mean) / mean for one in valid}
        case "reward":
            return {one: one for one in valid}

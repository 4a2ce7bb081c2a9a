"""The advantages as they were before algorithms could be swapped, kept unchanged: results must not change by a bit."""

from __future__ import annotations

import math
from collections.abc import Sequence

EPSILON = 1e-6


def former_advantages(rewards: Sequence[float | None], estimator: str) -> tuple[float | None, ...] | str:
    """Return the advantages, or why there are none."""
    valid = [one for one in rewards if one is not None]
    if (reason := _why_not(valid, estimator)) is not None:
        return reason
    advantage = _advantages(valid, estimator)
    return tuple(None if one is None else advantage[one] for one in rewards)


def _why_not(valid, estimator):
    if estimator == "reward":
        return None if valid else "too_few"
    if len(valid) < 2:
        return "too_few"
    if min(valid) == max(valid):
        return "all_pass" if valid[0] >= 1 else "all_fail"
    return None


def _advantages(valid: Sequence[float], estimator: str) -> dict[float, float]:
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

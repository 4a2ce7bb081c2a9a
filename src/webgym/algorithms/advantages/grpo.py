"""GRPO: the distance from the mean, in standard deviations."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.advantages.rewards import alike, mean, rewards_of

EPSILON = 1e-6
"""Added to the standard deviation before dividing by it."""


def grpo(members: Sequence[Member]) -> list[float]:
    """Return (R - mean) / deviation."""
    rewards = rewards_of(members)
    if alike(rewards):
        return [0.0] * len(rewards)
    count, middle = len(rewards), mean(rewards)
    # Means over branches may differ by very little. Rewards of 0 and 1 that differ at all deviate by this much.
    least = math.sqrt(count - 1) / count
    deviation = max(least, math.sqrt(math.fsum((reward - middle) ** 2 for reward in rewards) / count))
    return [(reward - middle) / (deviation + EPSILON) for reward in rewards]

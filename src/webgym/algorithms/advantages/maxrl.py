"""MaxRL: the distance from the mean, relative to the mean, so that rare successes weigh more."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.advantages.rewards import alike, mean, rewards_of


def maxrl(members: Sequence[Member]) -> list[float]:
    """Return (R - mean) / mean."""
    rewards = rewards_of(members)
    if alike(rewards):
        return [0.0] * len(rewards)
    middle = mean(rewards)
    return [(reward - middle) / middle for reward in rewards]

"""Dr. GRPO: the distance from the mean."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.advantages.rewards import mean, rewards_of


def dr_grpo(members: Sequence[Member]) -> list[float]:
    """Return R - mean."""
    rewards = rewards_of(members)
    middle = mean(rewards)
    return [reward - middle for reward in rewards]

"""RLOO: the distance from the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.advantages.rewards import alike, rewards_of


def rloo(members: Sequence[Member]) -> list[float]:
    """Return R - mean of the other members."""
    rewards = rewards_of(members)
    if alike(rewards):
        return [0.0] * len(rewards)
    total, others = math.fsum(rewards), len(rewards) - 1
    return [reward - (total - reward) / others for reward in rewards]

"""REINFORCE: the reward itself, without a baseline."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member, estimator
from webgym.algorithms.advantages.rewards import rewards_of


@estimator(compares=False)
def reward(members: Sequence[Member]) -> list[float]:
    """Return R."""
    return rewards_of(members)

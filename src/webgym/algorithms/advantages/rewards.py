"""Sums over the rewards of a group. They use `fsum`, so that the order of the members does not matter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.algorithms.advantages.estimator import Member


def rewards_of(members: Sequence[Member]) -> list[float]:
    """Return the reward of each member."""
    return [member.reward for member in members]


def mean(rewards: Sequence[float]) -> float:
    """Return the mean reward."""
    return math.fsum(rewards) / len(rewards)


def alike(rewards: Sequence[float]) -> bool:
    """Return whether there is nothing to compare."""
    return not rewards or min(rewards) == max(rewards)

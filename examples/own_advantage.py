"""A custom advantage estimator: a function of the members of a group that returns a number for each.

webgym train train.source.estimator=examples.own_advantage:above_median train.source.estimator_options.failure=0.5
"""

from collections.abc import Sequence
from statistics import median

from webgym.algorithms.advantages.estimator import Member


def above_median(members: Sequence[Member], *, failure: float = 1.0) -> list[float]:
    """How much better than half of the group, with `failure` as the weight of those that are worse."""
    middle = median(one.reward for one in members)
    apart = [one.reward - middle for one in members]
    return [one if one > 0 else failure * one for one in apart]

"""GiGPO: attempts are compared as wholes, and their steps with the steps of the group that began in the same state.

Attempts of a group begin in the same state and often come back to it, so steps from one state are a group by
themselves, without further rollouts. What a step is worth is the reward of its attempt, discounted by the steps that it
still took. A step from a state that no other step began in has the advantage of its attempt alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from webgym.algorithms.advantages.dr_grpo import dr_grpo
from webgym.algorithms.advantages.estimator import Member, estimator
from webgym.algorithms.advantages.rewards import mean


@estimator(by_step=True)
def gigpo(members: Sequence[Member], *, discount: float = 0.95, step_weight: float = 1.0) -> list[list[float]]:
    """Return for each step R - mean, plus `step_weight` times what it is worth above the mean from its state."""
    worths = [_worths(member, discount) for member in members]
    from_state: defaultdict[str, list[float]] = defaultdict(list)
    for member, of_steps in zip(members, worths, strict=True):
        for state, worth in zip(member.states, of_steps, strict=True):
            from_state[state].append(worth)
    usual = {state: mean(found) for state, found in from_state.items()}
    return [
        [whole + step_weight * (worth - usual[state]) for state, worth in zip(member.states, of_steps, strict=True)]
        for member, of_steps, whole in zip(members, worths, dr_grpo(members), strict=True)
    ]


def _worths(member: Member, discount: float) -> list[float]:
    last = len(member.states) - 1
    return [member.reward * discount ** (last - step) for step in range(last + 1)]

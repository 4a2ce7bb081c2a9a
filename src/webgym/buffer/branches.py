"""Branches: other answers to the last prompt of an attempt, which tell how good its answer was among those it could give.

All of them start from the same state, so their mean reward is the value of that state, and what each is above it is
the advantage of its own tokens, without the luck of the way there and without a critic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from webgym.buffer.advantages import Scored, score
from webgym.records.sample import Estimator
from webgym.records.trajectory import Step, Trajectory, reward


def expected_reward(trajectory: Trajectory) -> float | None:
    """Return the mean reward of the answer given and its branches: the outcome's own reward if it has none."""
    own = reward(trajectory.ending.outcome)
    if own is None:
        return None
    rewards = [own, *(one for one in trajectory.ending.branch_rewards if one is not None)]
    return math.fsum(rewards) / len(rewards)


def answers(trajectory: Trajectory, estimator: Estimator) -> Iterator[tuple[Step, float]]:
    """Yield the last step once for each reply that was sampled for it, the one acted on first, and its advantage.

    Nothing is yielded without branches, or if all of them brought the same.
    """
    rewards = trajectory.ending.branch_rewards
    match score((reward(trajectory.ending.outcome), *rewards), estimator) if rewards else None:
        case Scored(advantages=advantages):
            last = trajectory.steps[-1]
            for step, advantage in zip((last, *_replies(last)), advantages, strict=True):
                if advantage is not None:
                    yield step, advantage
        case _:
            return


def _replies(step: Step) -> Iterator[Step]:
    """Yield the step as if each of its branches had been the reply."""
    said = step.turn.completion
    for branch in step.turn.branches:
        completion, tokens = branch.completion, branch.completion.tokens
        if tokens is not None and said is not None and said.tokens is not None:
            whole = msgspec.structs.replace(tokens, prompt=said.tokens.prompt)
            completion = msgspec.structs.replace(completion, tokens=whole)
        turn = msgspec.structs.replace(step.turn, completion=completion, branches=())
        yield msgspec.structs.replace(step, turn=turn)

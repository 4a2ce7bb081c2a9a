"""What attempts are worth to training, beyond success and failure.

Branches are other answers to the last prompt of an attempt. All of them start from the same state, so their mean is the
value of that state, and what each is above it is the advantage of its own tokens, without the luck of the way there and
without a critic. Partial credit is for facts that hold though others do not. Evaluations know neither.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from webgym.algorithms.advantages.estimator import Estimator
from webgym.buffer.advantages import GroupAdvantages, score
from webgym.records.trajectory import Step, Trajectory, reward
from webgym.records.verdict import Verdict


def credit(trajectory: Trajectory, partial: float = 0.0) -> float | None:
    """Return the mean worth of the answer given and its branches; None if the attempt has no reward.

    A success is worth 1, a failure `partial` times the share of its facts that hold.
    """
    own = reward(trajectory.ending.outcome)
    if own is None:
        return None
    failure = 0.0 if own else partial * _held(trajectory.ending.verdict)
    rewards = [own, *(branch for branch in trajectory.ending.branch_rewards if branch is not None)]
    return math.fsum(each or failure for each in rewards) / len(rewards)


def _held(verdict: Verdict | None) -> float:
    if verdict and verdict.credit is not None:
        return min(1.0, max(0.0, verdict.credit))
    facts = verdict.facts if verdict else ()
    return sum(fact.holds for fact in facts) / len(facts) if facts else 0.0


def answers(trajectory: Trajectory, estimator: Estimator | str) -> Iterator[tuple[Step, float]]:
    """Yield the last step once for each reply that was sampled for it, the one acted on first, and its advantage.

    Nothing is yielded without branches, or if all of them brought the same.
    """
    rewards = trajectory.ending.branch_rewards
    match score((reward(trajectory.ending.outcome), *rewards), estimator) if rewards else None:
        case GroupAdvantages(advantages=advantages):
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

"""A judge of one's own: anything with `exact` and `judge`.

webgym eval judge.use=examples.own_judge:AnswerLength agent.use=noop
"""

from collections.abc import Sequence

from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict


class AnswerLength:
    """Holds every fact of an answer of at least ten characters: a judge to test with, not to train with."""

    exact = False
    """It looks at the answer alone, so there is no point in asking it without one."""

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        del steps, last
        long = len(answer) >= 10
        return Verdict(
            tuple(
                FactVerdict(group.id, number, long)
                for group in attempt.task.rubric
                for number in range(len(group.facts))
            )
        )

"""A custom judge: any class with `exact` and `judge`.

webgym eval judge.use=examples.own_judge:AnswerLength agent.use=noop

To judge a stored run:

webgym judge run runs/eval-1 judge.use=examples.own_judge:EveryScreenshotSeen
"""

from collections.abc import Sequence

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Shot, Verdict, fact_verdict


class AnswerLength:
    """Accepts every fact if the answer has at least ten characters. For tests, not for training."""

    exact = False
    """This judge only reads the answer, so it is not called for attempts without one."""

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


class EveryScreenshotSeen:
    """Supports every fact if the agent saw more than one distinct screenshot. Returns findings and evidence.

    A judge must not guess. If it abstains on a fact or raises `JudgeError`, the attempt has no reward. A verdict that
    does not cover all facts of the rubric counts as no verdict.
    """

    exact = False

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        del answer
        looks = [step.observation for step in steps] + ([last] if last else [])
        seen = dict.fromkeys(look.screenshot.address for look in looks if look.screenshot)
        if not seen:
            raise JudgeError("there is no screenshot to judge by")
        finding = "supported" if len(seen) > 1 else "not_shown"
        return Verdict(
            facts=tuple(
                fact_verdict(group.id, number, finding, screenshots=tuple(range(len(seen))), why="pages were seen")
                for group in attempt.task.rubric
                for number in range(len(group.facts))
            ),
            shots=tuple(Shot(address, steps=(), shown=True) for address in seen),
            judge="every-screenshot-seen",
        )

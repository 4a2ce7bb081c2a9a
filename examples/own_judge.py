"""A judge of one's own: anything with `exact` and `judge`.

webgym eval judge.use=examples.own_judge:AnswerLength agent.use=noop

and, on a run that is stored already,

webgym judge run runs/eval-1 judge.use=examples.own_judge:EveryScreenshotSeen
"""

from collections.abc import Sequence

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Shot, Verdict, fact_verdict


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


class EveryScreenshotSeen:
    """Finds a fact supported if the agent looked at more than one page: with findings, evidence and no verdict at all.

    What a judge cannot tell it must not guess: `abstain` on a fact, or a `JudgeError`, leaves the attempt without a
    reward. A verdict that leaves facts of the rubric out counts as none.
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

"""Judges of the user's own, held to the rubric: a verdict on a part of it is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.stages import Judge, Lookout


class CompleteVerdictJudge:
    """Passes on verdicts that have every fact of the rubric exactly once."""

    def __init__(self, own: Judge) -> None:
        self.exact = own.exact
        self._own = own

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """The user's judge's.

        Raises:
            JudgeError: It came to none, or to one that leaves facts out, or knows others.
        """
        verdict = await self._own.judge(attempt, steps, last, answer)
        check_covers(verdict, attempt.task)
        return verdict

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """What the user's judge says, if it can tell."""
        return await self._own.blocked(attempt, steps, last, pictures) if isinstance(self._own, Lookout) else ""


def check_covers(verdict: Verdict, task: Task) -> None:
    """Every fact once.

    Raises:
        JudgeError: It is not so.
    """
    wanted = sorted((group.id, fact) for group in task.rubric for fact in range(len(group.facts)))
    given = sorted((one.group, one.fact) for one in verdict.facts)
    if given != wanted:
        raise JudgeError(f"the verdict is on the facts {given}, and the rubric has {wanted} (group, place in it)")

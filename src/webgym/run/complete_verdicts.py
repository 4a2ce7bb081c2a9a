"""Check the verdicts of custom judges: they must cover the whole rubric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.stages import BlockDetector, Judge


class CompleteVerdictJudge:
    """Wraps a custom judge and rejects verdicts that do not cover every fact of the rubric exactly once."""

    def __init__(self, own: Judge) -> None:
        self.exact = own.exact
        self._own = own

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return the verdict of the custom judge.

        Raises:
            JudgeError: There is none, or its facts are not those of the rubric.
        """
        verdict = await self._own.judge(attempt, steps, last, answer)
        check_covers(verdict, attempt.task)
        return verdict

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """Return the custom judge's evidence of a refusal, or an empty string if it is no `BlockDetector`."""
        return await self._own.blocked(attempt, steps, last, pictures) if isinstance(self._own, BlockDetector) else ""


def check_covers(verdict: Verdict, task: Task) -> None:
    """Check that a verdict has every fact of the rubric exactly once.

    Raises:
        JudgeError: It has not.
    """
    wanted = sorted((group.id, fact) for group in task.rubric for fact in range(len(group.facts)))
    given = sorted((fact.group, fact.fact) for fact in verdict.facts)
    if given != wanted:
        raise JudgeError(f"the verdict covers the facts {given}, but the rubric has {wanted} (group, index in it)")

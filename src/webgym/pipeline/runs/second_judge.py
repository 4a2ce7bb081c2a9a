"""Two judges at once: the website itself, whose word counts, and a model, to see how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.stages import Judge


class WithSecondJudge:
    """Gives the exact judge's verdict, with the other's beside it."""

    exact = True

    def __init__(self, first: Judge, second: Judge) -> None:
        self._first = first
        self._second = second

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """The first's word; that the second came to none is told, and harms nothing."""
        verdict = await self._first.judge(attempt, steps, last, answer)
        if not answer:  # without one, a model is not asked
            return verdict
        try:
            second = await self._second.judge(attempt, steps, last, answer)
        except JudgeError as error:
            return msgspec.structs.replace(verdict, second_failed=str(error))
        return msgspec.structs.replace(verdict, second=second)

"""Two judges at once: the exact one, which counts, and a model, to measure how reliable it is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webgym.errors import JudgeError
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.stages import Judge


class WithSecondJudge:
    """Returns the exact judge's verdict, with the second judge's attached."""

    exact = True

    def __init__(self, first: Judge, second: Judge) -> None:
        self._first = first
        self._second = second

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return the first judge's verdict; a failure of the second is recorded in it."""
        verdict = await self._first.judge(attempt, steps, last, answer)
        if not answer:  # model judges grade only answers
            return verdict
        try:
            second = await self._second.judge(attempt, steps, last, answer)
        except JudgeError as error:
            return msgspec.structs.replace(verdict, second_failed=str(error))
        return msgspec.structs.replace(verdict, second=second)

"""Evaluations concurrent with training: pinned to their weights, one at a time, never blocking training."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import anyio

from webgym.errors import WebGymError
from webgym.records.sample import PolicyVersion
from webgym.run.evaluations.evaluations import Evaluate, NoteEvaluation


@dataclass(frozen=True, slots=True)
class _Due:
    iteration: int
    policy: PolicyVersion
    must: bool


class EvaluationsBeside:
    """Runs due evaluations in order.

    The queue holds evaluations that have not started. A new one replaces queued ones that are not mandatory, so that if
    training is faster than its evaluations, they become rarer instead of falling behind.
    """

    def __init__(self, evaluate: Evaluate, told: NoteEvaluation, say: Callable[[str], None]) -> None:
        self._evaluate = evaluate
        self._told = told
        self._say = say
        self._due: deque[_Due] = deque()
        self._now: _Due | None = None
        self._changed = anyio.Event()

    @property
    def in_turn(self) -> bool:
        return False

    @property
    def pinned(self) -> set[int]:
        """Policy versions whose weights are still needed."""
        return {one.policy.version for one in (*self._due, *([self._now] if self._now else ()))}

    async def due(self, iteration: int, policy: PolicyVersion, sampled: PolicyVersion, *, must: bool) -> None:
        """Queue an evaluation. One with `must`, such as the first and the last, is never skipped."""
        del sampled
        left_out = [one for one in self._due if not one.must]
        for one in left_out:
            self._due.remove(one)
            self._say(f"skipping the evaluation after iteration {one.iteration}: the next one is already due")
        self._due.append(_Due(iteration, policy, must))
        self._tell()

    async def run(self) -> None:
        """Run evaluations as they become due, until cancelled."""
        while True:
            while not self._due:
                await self._changed.wait()
            self._now = self._due.popleft()
            try:
                await self._one(self._now)
            finally:
                self._now = None
                self._tell()

    async def drained(self) -> None:
        """Wait until no evaluation is queued or running."""
        while self._due or self._now:
            await self._changed.wait()

    async def _one(self, due: _Due) -> None:
        began = time.monotonic()
        try:
            rows = await self._evaluate(due.iteration, due.policy)
        except (WebGymError, ExceptionGroup) as error:
            if (known := _known(error)) is None:
                raise
            self._say(f"the evaluation after iteration {due.iteration} failed; training continues: {known}")
            return
        self._told(due.iteration, due.policy, rows, time.monotonic() - began)

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


def _known(error: Exception) -> WebGymError | None:
    """Return the first `WebGymError` if all errors are such, else None."""
    if not isinstance(error, ExceptionGroup):
        return error if isinstance(error, WebGymError) else None
    inner = [_known(exception) for exception in cast("ExceptionGroup[Exception]", error).exceptions]
    return inner[0] if all(inner) else None

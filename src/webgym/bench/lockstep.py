"""Rollouts in lockstep, for comparison only: how rollouts are made where sessions are stepped as one vector.

Attempts run in batches. All of a batch decide, and wait for the slowest; all act, and wait for the slowest; the next
batch begins when the last attempt of this one is over. All else is the pool's: the same scenes, gates, tries, recorder.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Literal

import anyio

from webgym.records.event import Operation
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.gates import Deadlines, GateLimits, Gates, Passage
from webgym.rollout.play import Tools
from webgym.rollout.roll import roll
from webgym.rollout.tally import Tally, Totals
from webgym.stages import Events, Scenes

Phase = Literal["acting", "deciding"]


class Cohort:
    """Attempts that take every step together. Consumes: arrivals. Waits for: the slowest of its members."""

    def __init__(self, members: Iterable[str] = ()) -> None:
        self._members = set(members)
        self._arrived: dict[str, tuple[Phase, anyio.Event]] = {}
        self._phase: Phase = "deciding"
        self.waited = 0.0
        """Seconds that all members together have waited here."""

    async def turn(self, member: str, phase: Phase) -> None:
        """Wait until every member is done with what it did before, and this is what comes next."""
        if member not in self._members:
            return
        began = anyio.current_time()
        turn = anyio.Event()
        self._arrived[member] = phase, turn
        self._release()
        try:
            await turn.wait()
        finally:
            self._arrived.pop(member, None)
            self.waited += anyio.current_time() - began

    def join(self, member: str) -> None:
        """It has a session, or is about to."""
        self._members.add(member)

    def leave(self, member: str) -> None:
        """It takes no more steps: nobody waits for it."""
        self._members.discard(member)
        self._arrived.pop(member, None)
        self._release()

    def _release(self) -> None:
        if len(self._arrived) < len(self._members):
            return
        wanted = {phase for phase, _ in self._arrived.values()}
        other: Phase = "acting" if self._phase == "deciding" else "deciding"
        # Nobody wants the other one where all replies could not be read and all decide once more.
        self._phase = other if other in wanted else self._phase
        for member, (phase, turn) in list(self._arrived.items()):
            if phase == self._phase:
                del self._arrived[member]
                turn.set()


class LockstepGates(Gates):
    """Gates with a barrier before every decision and every action."""

    def __init__(self, events: Events, limits: GateLimits = GateLimits(), deadlines: Deadlines = Deadlines()) -> None:
        super().__init__(events, limits, deadlines)
        self.cohort = Cohort()
        """Those that run now."""

    @asynccontextmanager
    async def through(self, operation: Operation, attempt: str, step: int) -> AsyncGenerator[Passage]:
        """Wait for all others, then for a turn."""
        match operation:
            case "open":
                self.cohort.join(attempt)
            case "observe" | "act" | "navigate":
                await self.cohort.turn(attempt, "acting")
            case "infer":
                await self.cohort.turn(attempt, "deciding")
            case "close" | "judge":
                self.cohort.leave(attempt)
        async with super().through(operation, attempt, step) as passage:
            yield passage


@dataclasses.dataclass(frozen=True)
class LockstepRun:
    """What became of all attempts, and what the barriers cost."""

    totals: Totals
    waited: float
    """Seconds that attempts waited at the barriers of their steps, all together."""


async def run_in_lockstep(
    attempts: Sequence[Attempt],
    scenes: Scenes,
    tools: Tools,
    gates: LockstepGates,
    told: Callable[[Attempt, Ending], None],
    *,
    sessions: int,
) -> LockstepRun:
    """Make all attempts, in batches of `sessions`; `gates` take the place of those of the tools."""
    tools = dataclasses.replace(tools, gates=gates)
    tally = Tally()
    tally.submitted(len(attempts))
    waited = 0.0

    async def one(attempt: Attempt, cohort: Cohort) -> None:
        try:
            ending = await roll(attempt, scenes, tools)
        finally:
            cohort.leave(attempt.attempt_id)
        tally.ended(ending.outcome)
        told(attempt, ending)

    for first in range(0, len(attempts), sessions):
        batch = attempts[first : first + sessions]
        gates.cohort = Cohort(attempt.attempt_id for attempt in batch)
        async with anyio.create_task_group() as tasks:
            for attempt in batch:
                tasks.start_soon(one, attempt, gates.cohort)
        waited += gates.cohort.waited
    return LockstepRun(tally.totals, waited)

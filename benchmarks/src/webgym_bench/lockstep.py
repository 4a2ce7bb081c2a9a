"""Rollouts in lockstep, as a baseline: what stepping sessions as one vector environment amounts to.

Attempts run in batches. The whole batch decides and waits for the slowest member, acts and waits for the slowest, and
the next batch begins when the last attempt of this one has ended. All else is as in the pool.
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
from webgym.stages import Episodes, Events

Phase = Literal["acting", "deciding"]


class Cohort:
    """A barrier that keeps attempts in lockstep. Consumes arrivals; waits for the slowest member."""

    def __init__(self, members: Iterable[str] = ()) -> None:
        self._members = set(members)
        self._arrived: dict[str, tuple[Phase, anyio.Event]] = {}
        self._phase: Phase = "deciding"
        self.waited = 0.0
        """Total seconds that members have waited at the barrier."""

    async def turn(self, member: str, phase: Phase) -> None:
        """Wait until every member has arrived at the barrier and it is the turn of `phase`."""
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
        """Add a member that has a session, or is about to open one."""
        self._members.add(member)

    def leave(self, member: str) -> None:
        """Remove a member that takes no more steps, so that nobody waits for it."""
        self._members.discard(member)
        self._arrived.pop(member, None)
        self._release()

    def _release(self) -> None:
        if len(self._arrived) < len(self._members):
            return
        wanted = {phase for phase, _ in self._arrived.values()}
        other: Phase = "acting" if self._phase == "deciding" else "deciding"
        # The phase repeats if no reply could be parsed and every member has to decide again.
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
        """The members of the current batch."""

    @asynccontextmanager
    async def through(self, operation: Operation, attempt: str, step: int) -> AsyncGenerator[Passage]:
        """Wait at the barrier, then enter the gate."""
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
    """The totals of a lockstep run, and the cost of its barriers."""

    totals: Totals
    waited: float
    """Total seconds that attempts waited at step barriers."""


async def run_in_lockstep(
    attempts: Sequence[Attempt],
    episodes: Episodes,
    tools: Tools,
    gates: LockstepGates,
    told: Callable[[Attempt, Ending], None],
    *,
    sessions: int,
) -> LockstepRun:
    """Run all attempts in batches of `sessions`, with `gates` in place of the gates of `tools`."""
    tools = dataclasses.replace(tools, gates=gates)
    tally = Tally()
    tally.submitted(len(attempts))
    waited = 0.0

    async def one(attempt: Attempt, cohort: Cohort) -> None:
        try:
            ending = await roll(attempt, episodes, tools)
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

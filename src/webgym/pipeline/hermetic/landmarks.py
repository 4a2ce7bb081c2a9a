"""States along an oracle's way, from which its wrong variations start.

A variation runs the same errands but for one. Up to that one, its attempt would be the oracle's, step by step; so it
starts from a fork of the state in which the oracle had just done the errands before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from webgym.pipeline.hermetic.attempt import MakeAgent
from webgym.pipeline.hermetic.ground import Ground
from webgym.pipeline.hermetic.jobs import Job
from webgym.pipeline.hermetic.seat import Seat
from webgym.records.decision import Turn
from webgym.records.observation import Capture
from webgym.sites.oracle.oracle import Oracle


class Landmarks:
    """The states of one row of jobs. They are ended with the stack."""

    def __init__(self, kept: AsyncExitStack, ground: Ground) -> None:
        self._kept = kept
        self._ground = ground
        self._keys: dict[int, str] = {}
        """Errands done → key of the state."""
        self.trusted = False
        """Whether the oracle got to its goal this way."""

    def noting(self, job: Job, seat: Seat) -> MakeAgent:
        """The oracle of a job, which leaves a landmark at the end of each errand."""

        async def leave(done: int) -> None:
            if 0 < done < len(job.errands) and done not in self._keys:
                self._keys[done] = await seat.fork()
                self._kept.push_async_callback(self._ground.control.end, self._keys[done])

        return lambda snapshot: _Noting(Oracle(job.site, job.errands, snapshot), leave)

    def before(self, job: Job) -> str:
        """Key of the state in which a variation has nothing left to do but what is its own; empty: there is none."""
        group = job.spoiled[0] if job.spoiled else 1
        return self._keys.get(group - 1, "") if self.trusted else ""


class _Noting:
    """An oracle that tells how far it has come, before it goes on."""

    def __init__(self, oracle: Oracle, note: Callable[[int], Awaitable[None]]) -> None:
        self._oracle = oracle
        self._note = note

    async def decide(self, capture: Capture) -> Turn:
        """The oracle's own decision."""
        turn = await self._oracle.decide(capture)
        await self._note(self._oracle.done)
        return turn

"""Moments along an oracle's way, from which other attempts at its task start.

An oracle decides by nothing but what it sees and how the site stands. So a wrong variation of it goes the same way,
step by step, up to the first moment at which it would decide otherwise: its attempt starts there. One that is to go
astray starts anywhere along the way. To start at a moment is to open the page of then, on a fork of the state of then.
That shows what was seen then if the page had just been opened; later its address would not tell everything (a list that
is open, a form half filled in), so an attempt starts with the latest page that had.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from webgym.pipeline.hermetic.attempt import MakeAgent
from webgym.pipeline.hermetic.ground import Ground
from webgym.pipeline.hermetic.jobs import Job
from webgym.pipeline.hermetic.site_session import HOME, SiteSession, Start
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Changed, Observation
from webgym.sites.oracle.oracle import Oracle, decide
from webgym.sites.rng import Rng
from webgym.sites.states import Snapshot


@dataclass(frozen=True, slots=True)
class Moment:
    """What an oracle saw, how the site stood, and what it then decided."""

    seen: Observation
    snapshot: Snapshot
    decision: Decision


class Landmarks:
    """The moments of one row of jobs. Their states are ended with the stack."""

    def __init__(self, kept: AsyncExitStack, ground: Ground) -> None:
        self._kept = kept
        self._ground = ground
        self._moments: list[Moment] = []
        self._starts: dict[int, Start] = {}
        """Number of the moment → where it can be had again."""
        self.trusted = False
        """Whether the oracle got to its goal this way."""

    def noting(self, job: Job, session: SiteSession) -> MakeAgent:
        """The oracle of a job, which leaves landmarks on its way."""
        self._moments, self._starts, self.trusted = [], {0: HOME}, False

        async def note(moment: Moment) -> None:
            number = len(self._moments)
            self._moments.append(moment)
            if number and is_just_opened(moment.seen, job.site.name):
                key = await session.fork()
                self._kept.push_async_callback(self._ground.control.end, key)
                self._starts[number] = Start(key, moment.seen.url)

        return lambda snapshot: _Noting(job, snapshot, note)

    def parting(self, job: Job) -> Start:
        """Where a variation starts: by the first moment at which it decides otherwise than the oracle did."""
        if not self.trusted:
            return HOME
        return self._latest(parting(job, self._moments))

    def anywhere(self, rng: Rng) -> Start:
        """Some place along the way."""
        return self._latest(rng.below(len(self._moments))) if self.trusted else HOME

    def _latest(self, number: int) -> Start:
        return self._starts[max(one for one in self._starts if one <= number)]


def parting(job: Job, moments: list[Moment]) -> int:
    """Number of the first of an oracle's moments at which whoever runs the job's errands decides otherwise."""
    for number, moment in enumerate(moments):
        if decide(job.site, job.errands, moment.seen, moment.snapshot) != moment.decision:
            return number
    return 0  # never: nothing can be said of it but from the beginning


def is_just_opened(seen: Observation, site: str) -> bool:
    """Whether the page is one of the site's that the latest action led to, at rest and alone."""
    own = seen.url.startswith(f"http://{site}.localhost")
    led = isinstance(seen.effect, Changed) and "url" in seen.effect.what
    return own and led and seen.settled and seen.dialog is None and len(seen.tabs) == 1


class _Noting:
    """An oracle that tells of every moment, before it goes on."""

    def __init__(
        self, job: Job, snapshot: Callable[[], Awaitable[Snapshot]], note: Callable[[Moment], Awaitable[None]]
    ) -> None:
        self._oracle = Oracle(job.site, job.errands, self._ask)
        self._snapshot = snapshot
        self._note = note
        self._latest: Snapshot | None = None

    async def decide(self, capture: Capture) -> Turn:
        """The oracle's own decision."""
        turn = await self._oracle.decide(capture)
        if self._latest is not None and isinstance(turn.choice, Decision):
            await self._note(Moment(capture.observation, self._latest, turn.choice))
        return turn

    async def _ask(self) -> Snapshot:
        self._latest = await self._snapshot()
        return self._latest

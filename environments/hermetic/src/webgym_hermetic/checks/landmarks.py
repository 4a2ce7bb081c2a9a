"""Checkpoints along an oracle's path, from which other attempts at its task start.

An oracle decides only by what it sees and by the site's state. A spoiled variant therefore follows the same path up to
the first moment at which it would decide differently, and its attempt starts there. A perturbed attempt starts anywhere
along the path. To start at a moment is to open its page on a fork of its state. This reproduces the screen only if the
page had just been opened, since its URL does not capture an open list or a half-filled form; an attempt therefore
starts at the latest such page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Observation, PageChange
from webgym.rng import Rng
from webgym_hermetic.checks.attempt import MakeAgent
from webgym_hermetic.checks.jobs import Job
from webgym_hermetic.checks.site_session import HOME, SiteSession, Start
from webgym_hermetic.ground import Ground
from webgym_hermetic.oracle.oracle import Oracle, decide
from webgym_hermetic.states import Snapshot


@dataclass(frozen=True, slots=True)
class Moment:
    """What an oracle saw, the site's state, and its decision."""

    seen: Observation
    snapshot: Snapshot
    decision: Decision


class Landmarks:
    """The moments of one row of jobs. Forked states are ended with the exit stack."""

    def __init__(self, kept: AsyncExitStack, ground: Ground) -> None:
        self._kept = kept
        self._ground = ground
        self._moments: list[Moment] = []
        self._starts: dict[int, Start] = {}
        """Where to start, by index of the moment."""
        self.trusted = False
        """Whether the oracle succeeded along this path."""

    def noting(self, job: Job, session: SiteSession) -> MakeAgent:
        """Return a factory for the job's oracle, which records landmarks along its path."""
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
        """Return the start for a spoiled variant: the latest one by the time it first decides unlike the oracle."""
        if not self.trusted:
            return HOME
        return self._latest(parting(job, self._moments))

    def anywhere(self, rng: Rng) -> Start:
        """Return a random start along the path."""
        return self._latest(rng.below(len(self._moments))) if self.trusted else HOME

    def _latest(self, number: int) -> Start:
        return self._starts[max(one for one in self._starts if one <= number)]


def parting(job: Job, moments: list[Moment]) -> int:
    """Return the index of the first moment at which the job's goals lead to another decision."""
    for number, moment in enumerate(moments):
        if decide(job.site, job.goals, moment.seen, moment.snapshot) != moment.decision:
            return number
    return 0  # no difference: start from the beginning


def is_just_opened(seen: Observation, site: str) -> bool:
    """Whether the latest action led to this page of the site, and it is settled, in a single tab and without dialog."""
    own = seen.url.startswith(f"http://{site}.localhost")
    led = isinstance(seen.effect, PageChange) and "url" in seen.effect.what
    return own and led and seen.settled and seen.dialog is None and len(seen.tabs) == 1


class _Noting:
    """An oracle that reports every moment."""

    def __init__(
        self, job: Job, snapshot: Callable[[], Awaitable[Snapshot]], note: Callable[[Moment], Awaitable[None]]
    ) -> None:
        self._oracle = Oracle(job.site, job.goals, self._ask)
        self._snapshot = snapshot
        self._note = note
        self._latest: Snapshot | None = None

    async def decide(self, capture: Capture) -> Turn:
        """Return the oracle's decision, after reporting the moment."""
        turn = await self._oracle.decide(capture)
        if self._latest is not None and isinstance(turn.choice, Decision):
            await self._note(Moment(capture.observation, self._latest, turn.choice))
        return turn

    async def _ask(self) -> Snapshot:
        self._latest = await self._snapshot()
        return self._latest

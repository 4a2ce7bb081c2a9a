"""Checks the sites: oracles succeed, even after stray actions; baselines fail; each fact can fail on its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from webgym.agent.baselines import DoNothing, PerturbedAgent, RandomClicker
from webgym.errors import WebGymError
from webgym.records.session import SessionSpec
from webgym.records.task import Level
from webgym.rng import Rng
from webgym_hermetic.checks.attempt import Attempted, MakeAgent, Terms, attempt_at
from webgym_hermetic.checks.jobs import Job, Row, rows
from webgym_hermetic.checks.landmarks import Landmarks
from webgym_hermetic.checks.site_session import SiteSession, open_site_session
from webgym_hermetic.checks.spread import spread
from webgym_hermetic.ground import Ground
from webgym_hermetic.oracle.oracle import Oracle

STRAYS = 3
_HORIZONS: dict[Level, int] = {"easy": 10, "medium": 20, "hard": 30}
"""Step limits of the random clicker, as in training."""
_ORACLE_STEPS = 90
_PERTURBED_STEPS = 130
_MOST_TRIES = 2
"""A lost session is no fault of the site, so the attempt is retried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A job and its result."""

    job: Job
    attempted: Attempted | None
    trouble: str = ""
    """Why there is no attempt to judge."""

    @property
    def succeeded(self) -> bool:
        return self.attempted is not None and self.attempted.verdict.success

    @property
    def as_expected(self) -> bool:
        """Whether the result is the one expected for this kind of job."""
        if self.attempted is None:
            return False
        match self.job.kind:
            case "oracle" | "perturbed":
                return self.succeeded and self.attempted.answered
            case "spoiled":
                return self.missed == (self.job.spoiled,) and self.attempted.answered
            case "noop" | "random":
                return not self.succeeded

    @property
    def missed(self) -> tuple[tuple[int, int], ...]:
        """Group and index of each fact that does not hold."""
        if self.attempted is None:
            return ()
        return tuple((one.group, one.fact) for one in self.attempted.verdict.facts if not one.holds)


async def check(
    ground: Ground, jobs: Sequence[Job], sessions: int, told: Callable[[Outcome, int, int], None]
) -> list[Outcome]:
    """Run every job, on this many concurrent sessions."""
    outcomes: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        told(outcome, len(outcomes), len(jobs))

    async def work(row: Row) -> None:
        async with AsyncExitStack() as kept:
            await _make(ground, row, Landmarks(kept, ground), tell)

    await spread(rows(jobs), sessions, work)
    return outcomes


async def _make(ground: Ground, row: Row, landmarks: Landmarks, tell: Callable[[Outcome], None]) -> None:
    """Run the jobs of a row in as few browser sessions as possible."""
    waiting = deque(row)
    tries = 0
    while waiting:
        job = waiting[0]
        spec = SessionSpec(start_url=job.task.website, viewport=job.viewport, labels={"check": job.task.task_id})
        try:
            async with open_site_session(ground, job.site, spec) as session:
                while waiting and session.tidy:
                    attempted = await _attempt(session, waiting[0], landmarks)
                    tell(Outcome(waiting.popleft(), attempted))
                    tries = 0
        except WebGymError as error:
            tries += 1
            if waiting and tries == _MOST_TRIES:
                tell(Outcome(waiting.popleft(), None, f"{error.code}: {error}"))
                tries = 0


async def _attempt(session: SiteSession, job: Job, landmarks: Landmarks) -> Attempted:
    terms = Terms(viewport=job.viewport, most_steps=_most_steps(job))
    match job.kind:
        case "oracle":
            attempted = await attempt_at(session, job.task, landmarks.noting(job, session), terms)
            landmarks.trusted = attempted.verdict.success
            return attempted
        case "spoiled":
            return await attempt_at(session, job.task, _agent(job), terms, landmarks.parting(job))
        case "perturbed":
            start = landmarks.anywhere(Rng("check", "start", job.task.task_id))
            return await attempt_at(session, job.task, _agent(job), terms, start)
        case _:
            return await attempt_at(session, job.task, _agent(job), terms)


def _agent(job: Job) -> MakeAgent:
    rng = Rng("check", job.kind, job.task.task_id)
    match job.kind:
        case "oracle" | "spoiled":
            return lambda snapshot: Oracle(job.site, job.goals, snapshot)
        case "perturbed":
            return lambda snapshot: PerturbedAgent(Oracle(job.site, job.goals, snapshot), rng, STRAYS)
        case "noop":
            return lambda _snapshot: DoNothing()
        case "random":
            return lambda _snapshot: RandomClicker(rng, _most_steps(job))


def _most_steps(job: Job) -> int:
    match job.kind:
        case "oracle" | "spoiled":
            return _ORACLE_STEPS
        case "perturbed":
            return _PERTURBED_STEPS
        case "noop":
            return 1
        case "random":
            return _HORIZONS[job.task.level]

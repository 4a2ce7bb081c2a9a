"""The proof that the sites work: oracles succeed, also after going astray; nobody else does; facts fail one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webgym.errors import WebGymError
from webgym.pipeline.hermetic.agents import DoNothing, Perturbed, RandomClicker
from webgym.pipeline.hermetic.attempt import Attempted, MakeAgent, Terms, attempt
from webgym.pipeline.hermetic.ground import Ground
from webgym.pipeline.hermetic.jobs import Job
from webgym.pipeline.hermetic.spread import spread
from webgym.records.task import Level
from webgym.sites.oracle.oracle import Oracle
from webgym.sites.rng import Rng

STRAYS = 3
_HORIZONS: dict[Level, int] = {"easy": 10, "medium": 20, "hard": 30}
"""Steps of the random clicker: those of training."""
_ORACLE_STEPS = 90
_PERTURBED_STEPS = 130
_MOST_TRIES = 2
"""A session that is lost is no fault of the site's: its attempt is made again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A job and what came of it."""

    job: Job
    attempted: Attempted | None
    trouble: str = ""
    """Why there is no attempt to judge."""

    @property
    def succeeded(self) -> bool:
        return self.attempted is not None and self.attempted.verdict.success

    @property
    def as_expected(self) -> bool:
        """Whether the attempt came to what a job of its kind should come to."""
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
        """Group and fact of what does not hold."""
        if self.attempted is None:
            return ()
        return tuple((one.group, one.fact) for one in self.attempted.verdict.facts if not one.holds)


async def check(
    ground: Ground, jobs: list[Job], sessions: int, told: Callable[[Outcome, int, int], None]
) -> list[Outcome]:
    """Make every attempt, so many at a time."""
    outcomes: list[Outcome] = []

    async def work(job: Job) -> None:
        outcome = await _outcome(ground, job)
        outcomes.append(outcome)
        told(outcome, len(outcomes), len(jobs))

    await spread(jobs, sessions, work)
    return outcomes


async def _outcome(ground: Ground, job: Job) -> Outcome:
    trouble = ""
    for _ in range(_MOST_TRIES):
        try:
            terms = Terms(viewport=job.viewport, most_steps=_most_steps(job))
            attempted = await attempt(ground, job.site, job.task, _agent(job), terms)
            return Outcome(job, attempted)
        except WebGymError as error:
            trouble = f"{error.code}: {error}"
    return Outcome(job, None, trouble)


def _agent(job: Job) -> MakeAgent:
    rng = Rng("check", job.kind, job.task.task_id)
    match job.kind:
        case "oracle" | "spoiled":
            return lambda snapshot: Oracle(job.site, job.errands, snapshot)
        case "perturbed":
            return lambda snapshot: Perturbed(Oracle(job.site, job.errands, snapshot), rng, STRAYS)
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

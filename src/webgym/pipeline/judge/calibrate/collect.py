"""Labelled attempts on hermetic sites: agents of every skill, judged by the site itself, stored with screenshots."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from webgym.errors import ConfigError
from webgym.pipeline.hermetic.agents import DoNothing, Perturbed, RandomClicker
from webgym.pipeline.hermetic.jobs import KINDS, Kind
from webgym.pipeline.hermetic.spread import spread
from webgym.pipeline.runs.config import BrowserConfig, RunConfig, TasksConfig, WeatherConfig
from webgym.pipeline.runs.ground import ground_for
from webgym.pipeline.runs.load import to_toml
from webgym.pipeline.runs.scenes import Casting, ExactJudge, Place
from webgym.pipeline.runs.wiring import wired
from webgym.records.base import Record
from webgym.records.session import Look
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, OutcomeKind
from webgym.sites.catalogue import SITES_PER_FAMILY, site
from webgym.sites.errand import Errand
from webgym.sites.oracle.oracle import Oracle
from webgym.sites.registry import FAMILIES
from webgym.sites.rng import Rng
from webgym.sites.tasks.errands import errands_of
from webgym.sites.tasks.generate import tasks_of
from webgym.sites.worlds import world_of
from webgym.stages import Agent
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.write import open_writer
from webgym.telemetry.events import EventBus

_STRAYS = 3
_RANDOM_STEPS = 8
_TASKS_LOOKED_AT = 12
WatchAgent = Callable[[Place, Agent], Agent]
"""Puts itself between an attempt and its agent."""


class Collecting(Record, frozen=True):
    """How many, and how."""

    attempts: int = 120
    sessions: int = 8
    blocked: float = 0.08
    """Share of attempts that the website refuses to serve."""
    seed: int = 0


async def collect(
    folder: Path,
    how: Collecting,
    tell: Callable[[int, int], None] = lambda _done, _of: None,
    watch: WatchAgent = lambda _place, agent: agent,
) -> dict[OutcomeKind, int]:
    """Make the attempts that this run lacks; how many ended how.

    Raises:
        StoreError: Another run is there, or someone else writes to it.
    """
    config = RunConfig(
        seed=how.seed,
        browser=BrowserConfig(sessions=how.sessions),
        tasks=TasksConfig(sites_per_family=SITES_PER_FAMILY),
        weather=WeatherConfig(blocked_rate=how.blocked),
    )
    meta = RunMeta(name=folder.name, created=time.time(), command="webgym judge collect", config=to_toml(config))
    planned = list(attempts_of(how))
    async with (
        open_writer(folder, meta) as writer,
        ground_for(config, [attempt.task for attempt in planned]) as ground,
    ):
        over = writer.finished()
        todo = [attempt for attempt in planned if attempt.attempt_id not in over]
        casting = Casting(lambda place: watch(place, _agent(place)), Look(elements=True), ExactJudge)
        one = wired(config, ground, casting, writer, EventBus())
        done = len(planned) - len(todo)

        async def work(attempt: Attempt) -> None:
            nonlocal done
            await one(attempt)
            done += 1
            tell(done, len(planned))

        await spread(todo, how.sessions, work)
    with open_run(folder) as run:
        return {kind: count for kind, count in run.outcomes().items() if count}


def attempts_of(how: Collecting) -> Iterator[Attempt]:
    """Which attempts: each task by an oracle, and by others in turn."""
    rng = Rng("collect", how.seed)
    others: tuple[Kind, ...] = ("spoiled", "spoiled", "perturbed", "noop", "random")
    made: Counter[str] = Counter()
    number = 0
    while made.total() < how.attempts:
        task = _task(rng.fork(number), number)
        for kind in ("oracle", others[number % len(others)]):
            if made.total() < how.attempts:
                made[kind] += 1
                yield Attempt(f"{task.task_id}/{kind}", task, task.task_id, KINDS.index(kind), number)
        number += 1


def kind_of(attempt: Attempt) -> Kind:
    """Who acts in it."""
    return KINDS[attempt.member]


def _task(rng: Rng, number: int) -> Task:
    where = site(FAMILIES[number % len(FAMILIES)], rng.below(SITES_PER_FAMILY))
    tasks = list(tasks_of(where, _TASKS_LOOKED_AT))
    if not tasks:
        raise ConfigError(f"site {where.name} has no tasks")
    return rng.pick(tasks)


def _agent(place: Place) -> Agent:
    attempt, where, snapshot = place.attempt, place.site, place.snapshot
    if where is None or snapshot is None:
        raise ConfigError(f"{attempt.task.website} is not a hermetic site")
    rng = Rng("collect", attempt.attempt_id, attempt.seed)
    errands = errands_of(attempt.task, where.family)
    match kind_of(attempt):
        case "oracle":
            return Oracle(where, errands, snapshot)
        case "spoiled":
            return Oracle(where, _spoiled(errands, world_of(where), rng), snapshot)
        case "perturbed":
            return Perturbed(Oracle(where, errands, snapshot), rng, _STRAYS)
        case "noop":
            return DoNothing()
        case "random":
            return RandomClicker(rng, _RANDOM_STEPS)


def _spoiled(errands: tuple[Errand, ...], world: object, rng: Rng) -> tuple[Errand, ...]:
    """One fact left out or done wrong, everything else right."""
    index = rng.below(len(errands))
    spoiled = errands[index].spoil(rng.pick(errands[index].facts(world)).name, world)
    return (*errands[:index], spoiled, *errands[index + 1 :])

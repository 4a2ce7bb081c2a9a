"""Collects labelled attempts on hermetic sites, by agents of various skills, with the site's own verdicts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, get_args

from webgym.agent.baselines import DoNothing, PerturbedAgent, RandomClicker
from webgym.errors import ConfigError
from webgym.records.action import Answer
from webgym.records.base import Record
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture
from webgym.records.session import Look
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, OutcomeKind
from webgym.rng import Rng
from webgym.run.config import BrowserConfig, FaultsConfig, RunConfig, TasksConfig
from webgym.run.episodes import Players, exact_judge
from webgym.run.load import to_toml
from webgym.run.resources import open_resources
from webgym.run.wiring import wired
from webgym.stages import Agent, AttemptSetup
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.telemetry.events import EventBus
from webgym_hermetic.catalogue import SITES_PER_FAMILY, site
from webgym_hermetic.checks.spread import spread
from webgym_hermetic.environment import hermetic_state
from webgym_hermetic.goal import Goal
from webgym_hermetic.oracle.oracle import Oracle
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.worlds import world_of

Skill = Literal["oracle", "spoiled", "undone", "perturbed", "noop", "random"]
SKILLS: tuple[Skill, ...] = get_args(Skill)
"""The scripted agents: those of the site checks, and one that does the task and then partly undoes it."""
_STRAYS = 3
_RANDOM_STEPS = 8
_TASKS_LOOKED_AT = 12
WatchAgent = Callable[[AttemptSetup, Agent], Agent]
"""Wraps the agent of an attempt."""


class Collecting(Record, frozen=True):
    """Options of a collection."""

    attempts: int = 120
    sessions: int = 8
    blocked: float = 0.08
    """Share of attempts that the website refuses to serve."""
    seed: int = 0


async def collect(
    folder: Path,
    how: Collecting,
    tell: Callable[[int, int], None] = lambda _done, _of: None,
    watch: WatchAgent = lambda _setup, agent: agent,
) -> dict[OutcomeKind, int]:
    """Run the attempts that this run lacks; return the number of attempts by outcome.

    Raises:
        StoreError: The folder holds another run, or is being written to.
    """
    config = RunConfig(
        seed=how.seed,
        browser=BrowserConfig(sessions=how.sessions),
        tasks=TasksConfig(sites_per_family=SITES_PER_FAMILY),
        faults=FaultsConfig(blocked_rate=how.blocked),
    )
    meta = RunMeta(name=folder.name, created=time.time(), command="webgym judge collect", config=to_toml(config))
    planned = list(attempts_of(how))
    async with open_resources(config, folder) as resources:
        writer = await resources.writer(meta)
        attempts = await resources.attempts([attempt.task for attempt in planned])
        over = writer.finished()
        todo = [attempt for attempt in planned if attempt.attempt_id not in over]
        players = Players(lambda setup: watch(setup, _agent(setup)), Look(elements=True), exact_judge)
        one = wired(config, attempts, players, writer, EventBus())
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
    """Yield the attempts: each task by an oracle, and by one of the other agents in turn."""
    rng = Rng("collect", how.seed)
    others: tuple[Skill, ...] = ("spoiled", "undone", "perturbed", "spoiled", "noop", "undone", "random")
    made: Counter[str] = Counter()
    number = 0
    while made.total() < how.attempts:
        task = _task(rng.fork(number), number)
        for kind in (SKILLS[0], others[number % len(others)]):
            if made.total() < how.attempts:
                made[kind] += 1
                yield Attempt(f"{task.task_id}/{kind}", task, task.task_id, SKILLS.index(kind), number)
        number += 1


def skill_of(attempt: Attempt) -> Skill:
    """Return the skill of the agent in this attempt."""
    return SKILLS[attempt.member]


def _task(rng: Rng, number: int) -> Task:
    where = site(FAMILIES[number % len(FAMILIES)], rng.below(SITES_PER_FAMILY))
    tasks = list(tasks_of(where, _TASKS_LOOKED_AT))
    if not tasks:
        raise ConfigError(f"site {where.name} has no tasks")
    return rng.pick(tasks)


def _agent(setup: AttemptSetup) -> Agent:
    attempt, state = setup.attempt, hermetic_state(setup)
    where, snapshot = state.site, state.snapshot
    rng = Rng("collect", attempt.attempt_id, attempt.seed)
    goals = goals_of(attempt.task, where.family)
    match skill_of(attempt):
        case "oracle":
            return Oracle(where, goals, snapshot)
        case "spoiled":
            return Oracle(where, _spoiled(goals, world_of(where), rng), snapshot)
        case "undone":
            changed = _spoiled(goals, world_of(where), rng, about_site=True)
            return ThenOtherwise(Oracle(where, goals, snapshot), Oracle(where, changed, snapshot))
        case "perturbed":
            return PerturbedAgent(Oracle(where, goals, snapshot), rng, _STRAYS)
        case "noop":
            return DoNothing()
        case "random":
            return RandomClicker(rng, _RANDOM_STEPS)


def _spoiled(goals: tuple[Goal, ...], world: object, rng: Rng, *, about_site: bool = False) -> tuple[Goal, ...]:
    """Leave out or spoil one fact, with `about_site` preferably one about the site's state; the rest stays right."""
    found = [(index, fact) for index, goal in enumerate(goals) for fact in goal.facts(world)]
    of_site = [(index, fact) for index, fact in found if not goals[index].answer(world)]
    index, fact = rng.pick(of_site if about_site and of_site else found)
    return (*goals[:index], goals[index].spoil(fact.name, world), *goals[index + 1 :])


class ThenOtherwise:
    """Runs one agent until it answers, then another, whose answer counts."""

    def __init__(self, first: Agent, second: Agent) -> None:
        self._first, self._second = first, second
        self._done = False

    async def decide(self, capture: Capture) -> Turn:
        """Return the first agent's decision until it answers, then the second agent's."""
        if not self._done:
            turn = await self._first.decide(capture)
            match turn.choice:
                case Decision(action=Answer()):
                    self._done = True
                case _:
                    return turn
        return await self._second.decide(capture)

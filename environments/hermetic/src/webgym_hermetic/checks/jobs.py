"""The jobs of a site check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from webgym.records.observation import Viewport
from webgym.records.task import Task
from webgym.rng import Rng
from webgym_hermetic.catalogue import site
from webgym_hermetic.family import Family, Template
from webgym_hermetic.goal import Goal
from webgym_hermetic.registry import family
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import task_of, tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.worlds import world_of

Kind = Literal["oracle", "perturbed", "spoiled", "noop", "random"]
KINDS: tuple[Kind, ...] = ("oracle", "perturbed", "spoiled", "noop", "random")
WIDE, SMALL = Viewport(1280, 768), Viewport(448, 320)
_MOST_DRAWS = 200
_TASKS_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Job:
    """An attempt with an expected result."""

    kind: Kind
    site: Site
    task: Task
    viewport: Viewport
    goals: tuple[Goal, ...] = ()
    """The oracle's goals: those of the task, or with one of them spoiled."""
    spoiled: tuple[int, int] | None = None
    """The group and fact that must fail, and no other."""

    @property
    def is_alone(self) -> bool:
        """Whether it needs a browser session of its own."""
        return self.kind == "random"


Row = tuple[Job, ...]
"""Consecutive jobs with the same task and viewport: no-op, oracle, then those that start along the oracle's path."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What to check."""

    families: tuple[str, ...]
    per_family: int
    """Number of sites per family."""
    kinds: tuple[Kind, ...] = KINDS
    sites_per_template: int = 3
    random_episodes: int = 300
    template: str = ""
    """Only this template; empty: all."""
    site: Site | None = None
    """Only this site; None: all."""


def jobs(scope: Scope) -> Iterator[Job]:
    """Yield all jobs of a check, family by family."""
    for name in scope.families:
        kind = family(name)
        for index, template in enumerate(kind.templates):
            if scope.template in ("", template.name):
                yield from _of_template(scope, kind, template, index)
    if "random" in scope.kinds:
        yield from _random(scope)


def rows(todo: Sequence[Job]) -> list[Row]:
    """Group consecutive jobs that can share a browser session."""
    found: list[list[Job]] = []
    for job in todo:
        if found and not job.is_alone and (found[-1][0].task, found[-1][0].viewport) == (job.task, job.viewport):
            found[-1].append(job)
        else:
            found.append([job])
    return [tuple(row) for row in found]


def _of_template(scope: Scope, kind: Family, template: Template, index: int) -> Iterator[Job]:
    for turn, (where, task) in enumerate(_places(scope, kind, template, index)):
        viewport = SMALL if (index + turn) % 2 else WIDE
        goals = goals_of(task, kind.name)
        if "noop" in scope.kinds and turn == 0:
            yield Job("noop", where, task, viewport)
        if "oracle" in scope.kinds:
            yield Job("oracle", where, task, viewport, goals)
        if "spoiled" in scope.kinds:
            yield from _spoiled(Job("spoiled", where, task, viewport, goals), turn, scope.sites_per_template)
        if "perturbed" in scope.kinds:
            yield Job("perturbed", where, task, viewport, goals)


def _places(scope: Scope, kind: Family, template: Template, index: int) -> Iterator[tuple[Site, Task]]:
    """Yield sites on which the template has a task; different templates start at different sites."""
    if scope.site is not None:
        places = [scope.site]
    else:
        places = [site(kind.name, (index * 3 + step) % scope.per_family) for step in range(scope.per_family)]
    found = 0
    for where in places:
        task = next((task for draw in range(_MOST_DRAWS) if (task := task_of(where, template, draw))), None)
        if task is not None:
            yield where, task
            found += 1
        if found == scope.sites_per_template:
            return


def _spoiled(job: Job, turn: int, turns: int) -> Iterator[Job]:
    """Spoil each fact once, distributing the facts of a template over its sites."""
    world = world_of(job.site)
    number = 0
    for group, goal in enumerate(job.goals):
        for index, fact in enumerate(goal.facts(world)):
            number += 1
            if number % turns != turn % turns:
                continue
            goals = (*job.goals[:group], goal.spoil(fact.name, world), *job.goals[group + 1 :])
            yield Job("spoiled", job.site, job.task, job.viewport, goals, (group + 1, index))


def _random(scope: Scope) -> Iterator[Job]:
    """Yield easy tasks, the most likely to be solved by chance, from sites all over the catalogue."""
    rng = Rng("random clicker")
    for number in range(scope.random_episodes):
        where = scope.site or site(scope.families[number % len(scope.families)], rng.below(scope.per_family))
        task = _drawn(where, scope.template, rng)
        if task is not None:
            yield Job("random", where, task, SMALL if number % 2 else WIDE)


def _drawn(where: Site, wanted: str, rng: Rng) -> Task | None:
    """Draw one of a site's easy tasks, or one of a given template."""
    if not wanted:
        easy = [task for task in tasks_of(where, _TASKS_LOOKED_AT) if task.level == "easy"]
        return rng.pick(easy) if easy else None
    template = next((one for one in family(where.family).templates if one.name == wanted), None)
    return task_of(where, template, rng.below(_MOST_DRAWS)) if template else None

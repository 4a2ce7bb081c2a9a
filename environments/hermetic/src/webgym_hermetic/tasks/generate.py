"""Deterministic task generation from a family's templates, with a fixed mix of easy, medium and hard tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from webgym.errors import SiteUnknown
from webgym.records.task import FactGroup, Level, Task, level_of
from webgym.rng import Rng
from webgym_hermetic.family import Family, Template
from webgym_hermetic.goal import End, Goal
from webgym_hermetic.registry import family
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.goals import encode, goals_of
from webgym_hermetic.tasks.wording import instruction
from webgym_hermetic.worlds import world_of

TASKS_PER_SITE = 100
BENCHMARK = "hermetic"
_SHARES: tuple[tuple[Level, int], ...] = (("easy", 8), ("medium", 7), ("hard", 5))
"""Out of 20 tasks: 40, 35 and 25 %."""
_MOST_DRAWS = 60


def tasks_of(site: Site, count: int = TASKS_PER_SITE) -> Iterator[Task]:
    """Generate up to `count` tasks of a site, with distinct instructions.

    A task number is skipped if no draw yields a valid task of its level.
    """
    world = world_of(site)
    shares: list[Level] = [level for level, share in _SHARES for _ in range(share)]
    levels = Rng("levels", site.seed).shuffled(shares)
    seen: set[str] = set()
    for number in range(count):
        made = _distinct(site, world, number, levels[number % len(levels)], seen)
        if made is not None:
            seen.add(made.instruction)
            yield made


def task_of(site: Site, template: Template, draw: int) -> Task | None:
    """Generate a task from a template; None if this draw yields no valid task."""
    goals = _drawn(family(site.family), template, world_of(site), Rng("task", site.seed, template.name, draw))
    return task_from(site, f"{site.name}-{template.name}-{draw}", template.name, goals) if goals else None


def task_from(
    site: Site, task_id: str, template: str, goals: Sequence[Goal], decomposed_from: str | None = None
) -> Task:
    """Build the task that consists of these goals."""
    world = world_of(site)
    rng = Rng("wording", task_id)
    clauses = [goal.clause(world, rng.fork(index)) for index, goal in enumerate(goals)]
    groups = tuple(
        FactGroup(id=index, description=clause, facts=tuple(fact.text for fact in goal.facts(world)))
        for index, (clause, goal) in enumerate(zip(clauses, goals, strict=True), start=1)
    )
    return Task(
        task_id=task_id,
        instruction=instruction(clauses, site.brand, rng.fork("join")),
        website=f"http://{site.name}.localhost/",
        rubric=groups,
        benchmark=BENCHMARK,
        domain=site.family,
        subdomain=site.structure,
        split=site.split,
        template=template,
        exact=encode(tuple(goals)),
        decomposed_from=decomposed_from,
    )


def part_of(site: Site, task: Task, groups: Sequence[int]) -> Task:
    """Build a subtask from some of a task's fact groups, with its own instruction.

    Raises:
        SiteUnknown: The task has no such group.
    """
    goals = goals_of(task, site.family)
    if not groups or not all(1 <= group <= len(goals) for group in groups):
        raise SiteUnknown(f"task {task.task_id} has groups 1 to {len(goals)}, not {list(groups)}")
    task_id = f"{task.task_id}-part-{'-'.join(map(str, groups))}"
    chosen = [goals[group - 1] for group in groups]
    return task_from(site, task_id, task.template, chosen, decomposed_from=task.task_id)


def digest(tasks: Iterable[Task]) -> str:
    """Return a hash of a task set, to compare it across machines."""
    total = hashlib.sha256()
    for task in tasks:
        total.update(msgspec.json.encode(task))
    return total.hexdigest()


def _distinct(site: Site, world: Any, number: int, level: Level, seen: set[str]) -> Task | None:
    kind = family(site.family)
    fitting = [one for one in kind.templates if any(level_of(facts) == level for facts in one.facts)]
    for draw in range(_MOST_DRAWS):
        rng = Rng("task", site.seed, number, draw)
        template = rng.pick(fitting)
        goals = _drawn(kind, template, world, rng)
        if goals is None or level_of(sum(len(goal.facts(world)) for goal in goals)) != level:
            continue
        task = task_from(site, f"{site.name}-{number:03d}", template.name, goals)
        if task.instruction not in seen:
            return task
    return None


def _drawn(kind: Family, template: Template, world: Any, rng: Rng) -> tuple[Goal, ...] | None:
    """Draw goals, rejecting draws with a fact that already holds in the initial state."""
    goals = template.make(rng, world)
    if goals is None:
        return None
    nothing = End(world, kind.start(world), (), "")
    done = any(goal.holds(fact.name, nothing) for goal in goals for fact in goal.facts(world))
    return None if done else goals

"""What can be chosen in a tracker's forms: pairs of value and label."""

from __future__ import annotations

from webgym_hermetic.families.tracker.listing import SORTS
from webgym_hermetic.families.tracker.records import ESTIMATES, World
from webgym_hermetic.families.tracker.state import State, milestones_of

Options = list[tuple[str, str]]


def people(world: World, nobody: str = "") -> Options:
    """Everybody, by name; with a label for nobody, that as well."""
    named = sorted(((one.id, one.name) for one in world.people), key=lambda pair: pair[1])
    return [("", nobody), *named] if nobody else named


def projects(world: World) -> Options:
    return [(one.key, one.name) for one in world.projects]


def statuses(world: World) -> Options:
    return [(one.id, one.name) for one in world.statuses]


def priorities(world: World) -> Options:
    return [(one.id, one.name) for one in world.priorities]


def kinds(world: World) -> Options:
    return [(one.id, one.name) for one in world.kinds]


def estimates() -> Options:
    return [("0", "None"), *((str(hours), f"{hours} h") for hours in ESTIMATES)]


def components(world: World, project: str) -> Options:
    """Of a project; of all projects, with the project named, if none is given."""
    if project:
        return [(name, name) for name in world.project[project].components]
    return [(name, f"{one.key}: {name}") for one in world.projects for name in one.components]


def milestones(world: World, state: State, project: str, none: str = "No milestone") -> Options:
    """Of a project; of all projects, with the project named, if none is given."""
    every = milestones_of(world, state)
    named = [(one.id, one.name if project else f"{one.project}: {one.name}") for one in every]
    mine = [pair for pair, one in zip(named, every, strict=True) if project in ("", one.project)]
    return [("", none), *mine]


def editing(world: World, state: State, project: str) -> dict[str, Options]:
    """For the fields of an issue."""
    return {
        "kind": kinds(world),
        "status": statuses(world),
        "priority": priorities(world),
        "assignee": people(world, "Unassigned"),
        "component": components(world, project),
        "milestone": milestones(world, state, project),
        "estimate": estimates(),
    }


def filtering(world: World, state: State, project: str) -> dict[str, Options]:
    """For the filters of a list; an empty value leaves it open."""
    spans = milestones(world, state, project, "Any milestone")
    return {
        "project": [("", "All projects"), *projects(world)],
        "status": [("", "Any status"), ("open", "All open"), *statuses(world)],
        "assignee": [("", "Anyone"), ("none", "Unassigned"), *people(world)],
        "label": [("", "Any label"), *((one, one) for one in world.labels)],
        "priority": [("", "Any priority"), *priorities(world)],
        "kind": [("", "Any type"), *kinds(world)],
        "milestone": spans,
        "sort": list(SORTS),
    }

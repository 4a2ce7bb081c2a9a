"""People, their profiles, and the reports."""

from __future__ import annotations

from collections.abc import Sequence

from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import found
from webgym_hermetic.families.tracker.pages.shared import counts
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.state import issues_of
from webgym_hermetic.family import Missing, Page, Reply, Visit


@FAMILY.get("/people")
def people(visit: Visit) -> Reply:
    world: World = visit.world
    opened = [one for one in issues_of(world, visit.state) if one.status != world.over]
    rows = sorted(world.people, key=lambda one: one.name)
    return Page("people.html", "People", {"rows": rows, "loads": dict(load(world, opened))})


@FAMILY.get("/people/{own}")
def profile(visit: Visit, own: str) -> Reply:
    world: World = visit.world
    if own not in world.person:
        return Missing()
    every = issues_of(world, visit.state)
    mine = found(world, every, {"assignee": own, "status": "open", "sort": "due"})
    context = {
        "person": world.person[own],
        "mine": mine[:10],
        "count": len(mine),
        "reported": sum(one.reporter == own for one in every),
        "closed": sum(one.assignee == own and one.status == world.over for one in every),
        "projects": [one for one in world.projects if own in one.members],
    }
    return Page("profile.html", world.person[own].name, context)


@FAMILY.get("/reports")
def reports(visit: Visit) -> Reply:
    world: World = visit.world
    project = visit.query.get("project", "")
    if project not in world.project:
        project = ""
    every = [one for one in issues_of(world, visit.state) if project in ("", one.project)]
    opened = [one for one in every if one.status != world.over]
    components = [name for one in world.projects if project in ("", one.key) for name in one.components]
    context = {
        "project": project,
        "projects": [("", "All projects"), *options.projects(world)],
        "by_status": _named(counts(every, [one.id for one in world.statuses], "status"), world.status),
        "by_priority": _named(counts(opened, [one.id for one in world.priorities], "priority"), world.priority),
        "by_kind": _named(counts(opened, [one.id for one in world.kinds], "kind"), world.kind),
        "by_component": counts(opened, components, "component"),
        "by_assignee": [(world.name(own), own, count) for own, count in load(world, opened) if count],
        "unassigned": sum(not one.assignee for one in opened),
        "open_count": len(opened),
        "total": len(every),
    }
    return Page("reports.html", "Reports", context)


def load(world: World, issues: Sequence[Issue]) -> list[tuple[str, int]]:
    """Everybody with the number of these issues they have, most first."""
    ids = [one.id for one in sorted(world.people, key=lambda one: one.name)]
    return sorted(counts(issues, ids, "assignee"), key=lambda pair: -pair[1])


def _named(rows: list[tuple[str, int]], names: dict[str, str]) -> list[tuple[str, int]]:
    return [(names[value], count) for value, count in rows]

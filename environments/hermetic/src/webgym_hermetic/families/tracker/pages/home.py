"""The dashboard, projects and the search."""

from __future__ import annotations

from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import PAGE_SIZE, found, ordered, relevance, says
from webgym_hermetic.families.tracker.pages.shared import counts, paged, progress
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.state import State, issues_of, milestones_of
from webgym_hermetic.family import Data, Missing, Page, Reply, Visit


@FAMILY.get("/")
def dashboard(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    every = issues_of(world, state)
    mine = found(world, every, {"assignee": world.me, "status": "open", "sort": "due"})
    context = {
        "mine": mine[:6],
        "mine_count": len(mine),
        "recent": ordered(world, every, "updated")[:6],
        "urgent": found(world, every, {"status": "open", "priority": world.priorities[0].id, "sort": "due"})[:5],
        "spans": [one for one in milestones_of(world, state) if one.start <= world.today <= one.end],
        "progress": progress(world, state),
        "open_counts": {one.key: _open(world, every, one.key) for one in world.projects},
        "columns": _columns(world, every, state.settings.project),
        "board_project": world.project[state.settings.project],
    }
    return Page("home.html", visit.site.brand, context)


@FAMILY.get("/activity")
def activity(visit: Visit) -> Reply:
    recent = ordered(visit.world, issues_of(visit.world, visit.state), "updated")[:6]
    return Page("activity.html", "Activity", {"recent": recent}, part=True)


@FAMILY.get("/projects")
def projects(visit: Visit) -> Reply:
    every = issues_of(visit.world, visit.state)
    sizes = {one.key: sum(issue.project == one.key for issue in every) for one in visit.world.projects}
    opened = {one.key: _open(visit.world, every, one.key) for one in visit.world.projects}
    return Page("projects.html", "Projects", {"sizes": sizes, "open_counts": opened})


@FAMILY.get("/p/{key}")
def project(visit: Visit, key: str) -> Reply:
    world: World = visit.world
    if key not in world.project:
        return Missing()
    every = [one for one in issues_of(world, visit.state) if one.project == key]
    context = {
        "project": world.project[key],
        "by_status": counts(every, [one.id for one in world.statuses], "status"),
        "by_component": counts(
            [one for one in every if one.status != world.over], world.project[key].components, "component"
        ),
        "spans": [one for one in milestones_of(world, visit.state) if one.project == key],
        "progress": progress(world, visit.state),
        "releases": [one for one in world.releases if one.project == key],
        "recent": ordered(world, every, "updated")[:5],
        "total": len(every),
    }
    return Page("project.html", world.project[key].name, context)


@FAMILY.get("/search")
def search(visit: Visit) -> Reply:
    world: World = visit.world
    text = visit.query.get("q", "").strip()
    hits = _hits(world, visit.state, text)
    page, pages = paged(visit.query, len(hits))
    folded = text.lower()
    context = {
        "text": text,
        "hits": hits[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        "total": len(hits),
        "page": page,
        "pages": pages,
        "people": [one for one in world.people if folded and folded in one.name.lower()],
        "articles": [one for one in world.articles if folded and folded in one.title.lower()],
    }
    return Page("search.html", f"Search: {text}" if text else "Search", context)


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Reply:
    text = visit.query.get("q", "").strip()
    hits = _hits(visit.world, visit.state, text)[:5] if len(text) > 1 else []
    return Data([{"label": one.title, "href": f"/issue/{one.key}", "hint": one.key} for one in hits])


def _hits(world: World, state: State, text: str) -> list[Issue]:
    if not text:
        return []
    return sorted((one for one in issues_of(world, state) if says(one, text)), key=lambda one: relevance(one, text))


def _open(world: World, issues: list[Issue], project: str) -> int:
    return sum(one.project == project and one.status != world.over for one in issues)


def _columns(world: World, issues: list[Issue], project: str) -> list[tuple[str, str, list[Issue], int]]:
    made: list[tuple[str, str, list[Issue], int]] = []
    for status in world.statuses:
        rows = found(world, issues, {"project": project, "status": status.id, "sort": "priority"})
        made.append((status.id, status.name, rows[:4], len(rows)))
    return made

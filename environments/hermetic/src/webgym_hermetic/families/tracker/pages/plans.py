"""Milestones, releases and the handbook."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import ordered
from webgym_hermetic.families.tracker.pages.acts import iso_day
from webgym_hermetic.families.tracker.pages.shared import progress
from webgym_hermetic.families.tracker.records import Milestone, World
from webgym_hermetic.families.tracker.state import issues_of, milestones_of
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/milestones")
def milestones(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    every = milestones_of(world, state)
    first, last = min(one.start for one in every), max(one.end for one in every)
    days = (date.fromisoformat(last) - date.fromisoformat(first)).days or 1
    context = {
        "groups": [(one, [span for span in every if span.project == one.key]) for one in world.projects],
        "progress": progress(world, state),
        "bars": {one.id: _bar(one, first, days) for one in every},
        "now": _share(world.today, first, days),
    }
    return Page("milestones.html", "Milestones", context)


def _share(day: str, first: str, days: int) -> int:
    return max(0, min(100, 100 * (date.fromisoformat(day) - date.fromisoformat(first)).days // days))


def _bar(one: Milestone, first: str, days: int) -> tuple[int, int]:
    left = _share(one.start, first, days)
    return left, max(4, _share(one.end, first, days) - left)


@FAMILY.get("/milestones/new")
def new_milestone(visit: Visit) -> Reply:
    return _form(visit, {"project": visit.query.get("project") or visit.state.settings.project}, {})


def _form(visit: Visit, values: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world: World = visit.world
    day = date.fromisoformat(world.today)
    asked = {"project": "", "name": "", "goal": "", "start": "", "end": "", "lead": world.me}
    context = {
        "values": {**asked, **values},
        "errors": errors,
        "projects": options.projects(world),
        "people": options.people(world),
        "low": (day - timedelta(days=30)).isoformat(),
        "high": (day + timedelta(days=365)).isoformat(),
    }
    return Page("new_milestone.html", "New milestone", context, status=422 if errors else 200)


@FAMILY.post("/milestones/new")
def create_milestone(visit: Visit) -> Reply:
    form, world = visit.form, visit.world
    first, last = iso_day(form.get("start", "")), iso_day(form.get("end", ""))
    errors: dict[str, str] = {}
    if form.get("project") not in world.project:
        errors["project"] = "Choose a project."
    if form.get("lead") not in world.person:
        errors["lead"] = "Choose who leads it."
    if not form.get("name", "").strip():
        errors["name"] = "A milestone needs a name."
    if first is None:
        errors["start"] = "When does it start?"
    if last is None:
        errors["end"] = "When does it end?"
    elif first is not None and last < first:
        errors["end"] = "It cannot end before it starts."
    if errors:
        return _form(visit, form, errors)
    args = {"project": form["project"], "lead": form["lead"], "start": first, "end": last}
    texts = {"name": form["name"].strip()[:80], "goal": form.get("goal", "").strip()[:200]}
    return Go("/milestones", (Event("milestone", {**args, **texts}),), notice="Milestone created.")


@FAMILY.get("/milestone/{own}")
def milestone(visit: Visit, own: str) -> Reply:
    world, state = visit.world, visit.state
    span = next((one for one in milestones_of(world, state) if one.id == own), None)
    if span is None:
        return Missing()
    mine = [one for one in issues_of(world, state) if one.milestone == own]
    ranks = {one.id: rank for rank, one in enumerate(world.statuses)}
    context = {
        "span": span,
        "project": world.project[span.project],
        "rows": sorted(ordered(world, mine, "priority"), key=lambda one: ranks[one.status]),
        "done": sum(one.status == world.over for one in mine),
        "hours": sum(one.estimate for one in mine),
    }
    return Page("milestone.html", f"{span.name}, {world.project[span.project].name}", context)


@FAMILY.get("/releases")
def releases(visit: Visit) -> Reply:
    world: World = visit.world
    project = visit.query.get("project", "")
    rows = [one for one in world.releases if project in ("", one.project)]
    rows = sorted(rows, key=lambda one: one.date, reverse=True)
    return Page("releases.html", "Releases", {"rows": rows, "project": project})


@FAMILY.get("/release/{own}")
def release(visit: Visit, own: str) -> Reply:
    world: World = visit.world
    if own not in world.release:
        return Missing()
    one = world.release[own]
    issues = [world.issue[key] for key in one.issues]
    context = {"release": one, "project": world.project[one.project], "issues": issues}
    return Page("release.html", one.name, context)


@FAMILY.get("/handbook")
def handbook(visit: Visit) -> Reply:
    del visit
    return Page("handbook.html", "Handbook", {})


@FAMILY.get("/handbook/{slug}")
def article(visit: Visit, slug: str) -> Reply:
    if slug not in visit.world.article:
        return Missing()
    return Page("article.html", visit.world.article[slug].title, {"article": visit.world.article[slug]})

"""New issues."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.pages.acts import iso_day
from webgym_hermetic.families.tracker.records import World
from webgym_hermetic.families.tracker.state import milestones_of, next_key
from webgym_hermetic.family import Event, Go, Page, Reply, Visit

_STEPWISE = ("board", "inbox")
"""Structures that ask for the project first."""


@FAMILY.get("/new")
def new(visit: Visit) -> Reply:
    project = visit.query.get("project", "")
    if project not in visit.world.project:
        project = ""
    if not project and visit.site.structure in _STEPWISE:
        return Page("new_project.html", "New issue")
    return _form(visit, {"project": project} if project else {}, {}, fixed=project)


def _form(visit: Visit, values: Mapping[str, str], errors: Mapping[str, str], *, fixed: str) -> Reply:
    world, state = visit.world, visit.state
    day = date.fromisoformat(world.today)
    asked = {
        "project": state.settings.project,
        "kind": world.kinds[0].id,
        "priority": world.priorities[2].id,
        "assignee": "",
        "component": "",
        "milestone": "",
        "estimate": "0",
        "title": "",
        "body": "",
        "due": "",
    }
    choices = options.editing(world, state, fixed)
    context = {
        "fixed": fixed,
        "values": {**asked, **values},
        "errors": errors,
        "choices": {**choices, "project": options.projects(world), "component": [("", "None"), *choices["component"]]},
        "low": world.today,
        "high": (day + timedelta(days=365)).isoformat(),
    }
    return Page("new.html", "New issue", context, status=422 if errors else 200)


@FAMILY.post("/new")
def create(visit: Visit) -> Reply:
    world: World = visit.world
    form = visit.form
    errors = _wrong(visit, form)
    fixed = form.get("fixed", "")
    if errors:
        return _form(visit, form, errors, fixed=fixed if fixed in world.project else "")
    labels = [one for one in world.labels if form.get(f"label-{one}") == "on"]
    names = ("project", "kind", "priority", "assignee", "component", "milestone")
    args = {name: form.get(name, "") for name in names}
    event = Event(
        "create",
        {
            **args,
            "title": form["title"].strip()[:160],
            "body": form.get("body", "").strip()[:4000],
            "estimate": int(form.get("estimate") or 0),
            "due": iso_day(form.get("due", "")) or "",
            "labels": [*labels],
        },
    )
    key = next_key(world, visit.state, args["project"])
    return Go(f"/issue/{key}", (event,), notice=f"{key} created.")


def _wrong(visit: Visit, form: Mapping[str, str]) -> dict[str, str]:
    world: World = visit.world
    project = form.get("project", "")
    errors: dict[str, str] = {}
    if project not in world.project:
        return {"project": "Choose a project."}
    if not form.get("title", "").strip():
        errors["title"] = "An issue needs a title."
    if form.get("component", "") not in ("", *world.project[project].components):
        errors["component"] = f"This component does not belong to {world.project[project].name}."
    spans = [one.id for one in milestones_of(world, visit.state) if one.project == project]
    if form.get("milestone", "") not in ("", *spans):
        errors["milestone"] = f"This milestone does not belong to {world.project[project].name}."
    if form.get("due") and iso_day(form["due"]) is None:
        errors["due"] = "Write the date as 2026-03-14."
    estimates = [value for value, _ in options.estimates()]
    known = {"kind": world.kind, "priority": world.priority, "estimate": ("", *estimates)}
    errors |= {name: "Choose one of the list." for name, values in known.items() if form.get(name, "") not in values}
    if form.get("assignee", "") not in ("", *world.person):
        errors["assignee"] = "Choose one of the list."
    return errors

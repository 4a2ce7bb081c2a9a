"""The issue list, the board, and changes to many issues at once."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import PAGE_SIZE, chosen, found
from webgym_hermetic.families.tracker.pages.shared import paged
from webgym_hermetic.families.tracker.records import Issue, Term, World
from webgym_hermetic.families.tracker.state import issues_of, milestones_of
from webgym_hermetic.family import Event, Go, Page, Reply, Scalar, Visit

_MOST_CARDS = 8
"""In a column of a board; the rest is in the list."""


@FAMILY.get("/issues")
def issues(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    kept = chosen(visit.query)
    project = kept.get("project", "")
    if project not in world.project:
        kept.pop("project", None)
        project = ""
    rows = found(world, issues_of(world, state), kept)
    page, pages = paged(visit.query, len(rows))
    context = {
        "rows": rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        "first": (page - 1) * PAGE_SIZE + 1,
        "total": len(rows),
        "page": page,
        "pages": pages,
        "kept": kept,
        "pager_href": address({**kept, "page": "PAGE"}).replace("PAGE", "{page}"),
        "back": address({**kept, **({"page": str(page)} if page > 1 else {})}),
        "choices": options.filtering(world, state, project),
        "editing": options.editing(world, state, project),
        "facets": facets(world, kept, options.filtering(world, state, project)),
    }
    return Page("issues.html", world.project[project].name if project else "Issues", context)


def address(kept: Mapping[str, str]) -> str:
    """The list with these filters."""
    return f"/issues?{urlencode(kept)}" if kept else "/issues"


def facets(
    world: World, kept: Mapping[str, str], choices: Mapping[str, options.Options]
) -> dict[str, list[tuple[str, str, bool]]]:
    """Per filter: an address, a label and whether it is on, for each value."""
    del world
    made: dict[str, list[tuple[str, str, bool]]] = {}
    for name, values in choices.items():
        others = {key: value for key, value in kept.items() if key != name}
        if name == "project":
            others.pop("milestone", None)
        on = kept.get(name, "updated" if name == "sort" else "")
        made[name] = [
            (
                address({**others, name: value} if value and (name, value) != ("sort", "updated") else others),
                label,
                value == on,
            )
            for value, label in values
        ]
    return made


@FAMILY.get("/board")
def board(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    project = visit.query.get("project", "") or state.settings.project
    if project not in world.project:
        project = world.projects[0].key
    kept = {"project": project, "assignee": visit.query.get("assignee", ""), "sort": "priority"}
    every = issues_of(world, state)
    columns: list[tuple[Term, list[Issue], int]] = []
    for status in world.statuses:
        rows = found(world, every, {**kept, "status": status.id})
        columns.append((status, rows[:_MOST_CARDS], len(rows)))
    context = {
        "project": world.project[project],
        "columns": columns,
        "assignee": kept["assignee"],
        "people": [("", "Anyone"), *options.people(world)],
    }
    return Page("board.html", f"{world.project[project].name} board", context)


@FAMILY.post("/bulk")
def bulk(visit: Visit) -> Reply:
    world: World = visit.world
    form = visit.form
    back = form.get("back", "")
    back = back if back.startswith("/issues") else "/issues"
    keys = [one.key for one in issues_of(world, visit.state) if form.get(f"pick-{one.key}") == "on" and not one.locked]
    fields = _fields(form)
    if not keys:
        return Go(back, notice="Nothing changed: select at least one issue first.")
    if not fields:
        return Go(back, notice="Nothing changed: choose what to change.")
    span = fields.get("milestone")
    if span and any(not key.startswith(f"{_project_of(visit, str(span))}-") for key in keys):
        return Go(back, notice="Nothing changed: this milestone belongs to another project.")
    events = tuple(Event("edit", {"key": key, **fields}) for key in keys)
    return Go(back, events, notice=f"{len(keys)} {'issue' if len(keys) == 1 else 'issues'} changed.")


def _fields(form: Mapping[str, str]) -> dict[str, Scalar | list[Scalar]]:
    names = ("status", "priority", "assignee", "milestone")
    fields: dict[str, Scalar | list[Scalar]] = {
        name: form[f"bulk_{name}"] for name in names if form.get(f"bulk_{name}")
    }
    if fields.get("assignee") == "none":
        fields["assignee"] = ""
    return fields


def _project_of(visit: Visit, span: str) -> str:
    return next((one.project for one in milestones_of(visit.world, visit.state) if one.id == span), "")

"""The page of an issue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from webgym.rng import Rng
from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import found
from webgym_hermetic.families.tracker.records import RELATIONS, RESOLUTIONS, REVERSE, Issue, World
from webgym_hermetic.families.tracker.state import State, issue_of, issues_of
from webgym_hermetic.family import Missing, Page, Reply, Visit

_NAMES = {
    "kind": "Type",
    "status": "Status",
    "priority": "Priority",
    "assignee": "Assignee",
    "component": "Component",
    "milestone": "Milestone",
    "estimate": "Estimate",
    "due": "Due date",
    "labels": "Labels",
}


@FAMILY.get("/issue/{key}")
def show(visit: Visit, key: str) -> Reply:
    return issue_page(visit, key)


@FAMILY.get("/issue/{key}/history")
def history(visit: Visit, key: str) -> Reply:
    issue = issue_of(visit.world, visit.state, key)
    if issue is None:
        return Missing()
    return Page("history.html", "History", {"entries": entries(visit.world, issue)}, part=True)


def issue_page(visit: Visit, key: str, errors: Mapping[str, str] | None = None, opened: str = "") -> Reply:
    """The page, with what was wrong with a form that was sent from it."""
    world: World = visit.world
    state: State = visit.state
    issue = issue_of(world, state, key)
    if issue is None:
        return Missing()
    form: Mapping[str, str] = visit.form if errors else {}
    day = date.fromisoformat(world.today)
    context: dict[str, Any] = {
        "issue": issue,
        "project": world.project[issue.project],
        "choices": options.editing(world, state, issue.project),
        "values": _values(issue, form),
        "checked": {
            one: form.get(f"label-{one}") == "on" if "labels" in form else one in issue.labels for one in world.labels
        },
        "errors": errors or {},
        "form": form,
        "opened": opened,
        "linked": _linked(world, state, issue),
        "relations": RELATIONS,
        "resolutions": RESOLUTIONS,
        "spent": sum(one.hours for one in issue.work),
        "low": (day - timedelta(days=180)).isoformat(),
        "high": (day + timedelta(days=365)).isoformat(),
        "siblings": found(world, issues_of(world, state), {"project": issue.project, "status": "open", "sort": "due"})[
            :14
        ],
    }
    return Page("issue.html", f"{issue.key} {issue.title}", context, status=422 if errors else 200)


def entries(world: World, issue: Issue) -> list[tuple[str, str, str]]:
    """What happened to an issue: who, when, what; newest first."""
    original = world.issue.get(issue.key)
    made = [(issue.reporter, issue.created, "created this issue")]
    if original is None:
        return made
    rng = Rng(world.seed, issue.key, "history")
    first = date.fromisoformat(original.created)
    length = max(0, (date.fromisoformat(original.updated) - first).days)
    if original.assignee:
        made.append((original.reporter, original.created, f"set Assignee to {world.name(original.assignee)}"))
    ids = [one.id for one in world.statuses]
    for index in range(1, ids.index(original.status) + 1):
        day = first + timedelta(days=length * index // (len(ids) + 1))
        who = original.assignee or original.reporter
        before, after = world.statuses[index - 1].name, world.statuses[index].name
        made.append((who, day.isoformat(), f"changed Status from {before} to {after}"))
    if original.labels and rng.chance(0.6):
        made.append((original.reporter, original.created, f"added the label {original.labels[0]}"))
    made += [(world.me, world.today, text) for text in _differences(world, original, issue)]
    return list(reversed(made))


def _differences(world: World, old: Issue, new: Issue) -> list[str]:
    texts: list[str] = []
    for field, name in _NAMES.items():
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            texts.append(f"changed {name} from {_shown(world, field, before)} to {_shown(world, field, after)}")
    return texts


def _shown(world: World, field: str, value: Any) -> str:
    match field:
        case "kind" | "status" | "priority":
            return getattr(world, field)[value]
        case "assignee":
            return world.name(value)
        case "labels":
            return ", ".join(value) or "none"
        case "estimate":
            return f"{value} h" if value else "none"
        case "milestone":
            return world.milestone[value].name if value in world.milestone else value or "none"
        case _:
            return value or "none"


def _values(issue: Issue, form: Mapping[str, str]) -> dict[str, str]:
    return {name: form.get(name, str(getattr(issue, name))) for name in _NAMES if name != "labels"}


def _linked(world: World, state: State, issue: Issue) -> list[tuple[str, str, Issue, bool]]:
    """Kind of the link, its words, the other issue, and whether it was made from here."""
    words = dict(RELATIONS)
    made: list[tuple[str, str, Issue, bool]] = []
    for relation in issue.relations:
        other = issue_of(world, state, relation.key)
        if other is not None:
            made.append((relation.kind, words[relation.kind], other, True))
    made += [
        (relation.kind, REVERSE[relation.kind], other, False)
        for other in issues_of(world, state)
        for relation in other.relations
        if relation.key == issue.key
    ]
    return made

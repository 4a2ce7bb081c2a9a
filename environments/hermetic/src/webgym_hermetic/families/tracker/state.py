"""What a session did to a tracker, and how each event changes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from msgspec.structs import replace

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym_hermetic.families.tracker.records import (
    ESTIMATES,
    RELATIONS,
    RESOLUTIONS,
    Comment,
    Filter,
    Issue,
    Milestone,
    Relation,
    Settings,
    Work,
    World,
)
from webgym_hermetic.families.tracker.words import number_of, slug
from webgym_hermetic.family import Event


class State(Record, frozen=True):
    """A tracker as a session left it."""

    settings: Settings
    changed: dict[str, Issue] = {}
    """Issues that differ from the world's, and new ones."""
    created: tuple[str, ...] = ()
    """Keys of new issues, oldest first."""
    milestones: tuple[Milestone, ...] = ()
    """New ones, oldest first."""
    filters: tuple[Filter, ...] = ()


def start(world: World) -> State:
    """Nothing done yet."""
    return State(settings=world.settings, filters=world.filters)


def issue_of(world: World, state: State, key: str) -> Issue | None:
    """An issue as it is now."""
    return state.changed.get(key) or world.issue.get(key)


def issues_of(world: World, state: State) -> list[Issue]:
    """All issues as they are now, oldest first within each project."""
    changed = state.changed
    if not changed:
        return list(world.issues)
    return [changed.get(one.key, one) for one in world.issues] + [changed[key] for key in state.created]


def milestones_of(world: World, state: State) -> tuple[Milestone, ...]:
    return (*world.milestones, *state.milestones)


def next_key(world: World, state: State, project: str) -> str:
    """The key that the next issue of a project gets."""
    return f"{project}-{1 + max(number_of(one.key) for one in issues_of(world, state) if one.project == project)}"


def my_work(world: World, issue: Issue) -> list[Work]:
    """What I logged on an issue."""
    return [one for one in issue.work if one.author == world.me]


Change = Callable[[World, State, Event], State]


def _text(event: Event, name: str) -> str:
    value = event.args[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}")
    return value


def _one_of(value: str, options: Any, what: str) -> str:
    if value not in options:
        raise ValueError(f"there is no {what} {value!r}")
    return value


def _day(value: str, *, may_be_empty: bool = False) -> str:
    if not value and may_be_empty:
        return ""
    return date.fromisoformat(value).isoformat()


def _open_issue(world: World, state: State, event: Event) -> Issue:
    issue = issue_of(world, state, _text(event, "key"))
    if issue is None:
        raise ValueError("there is no such issue")
    if issue.locked:
        raise SiteStateError(f"{issue.key} is locked")
    return issue


def _put(state: State, issue: Issue) -> State:
    return replace(state, changed={**state.changed, issue.key: issue})


def _checked(world: World, state: State, project: str, name: str, value: Any) -> Any:
    """A field's value, if it may have it."""
    match name:
        case "kind" | "status" | "priority":
            return _one_of(value, getattr(world, name), name)
        case "assignee":
            return _one_of(value, ("", *world.person), "person")
        case "component":
            return _one_of(value, ("", *world.project[project].components), "component")
        case "milestone":
            spans = [one.id for one in milestones_of(world, state) if one.project == project]
            return _one_of(value, ("", *spans), "milestone")
        case "estimate":
            return _one_of(value, (0, *ESTIMATES), "estimate")
        case "due":
            return _day(value, may_be_empty=True)
        case "labels":
            return tuple(_one_of(one, world.labels, "label") for one in value)
        case _:
            raise ValueError(f"an issue has no field {name!r} that can be changed")


def _edit(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    fields = {
        name: _checked(world, state, issue.project, name, value) for name, value in event.args.items() if name != "key"
    }
    issue = replace(issue, updated=world.today, **fields)
    if issue.status != world.over:
        issue = replace(issue, resolution="")
    elif not issue.resolution:
        issue = replace(issue, resolution="completed")
    return _put(state, issue)


def _comment(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    comment = Comment(world.me, world.today, _text(event, "text"))
    return _put(state, replace(issue, updated=world.today, comments=(*issue.comments, comment)))


def _watch(world: World, state: State, event: Event) -> State:
    issue = issue_of(world, state, _text(event, "key"))
    if issue is None:
        raise ValueError("there is no such issue")
    return _put(state, replace(issue, watching=bool(event.args["on"])))


def _vote(world: World, state: State, event: Event) -> State:
    return _put(state, replace(_open_issue(world, state, event), voted=bool(event.args["on"])))


def _link(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    relation = _relation(world, state, event)
    if relation.key == issue.key:
        raise ValueError("an issue cannot be linked to itself")
    others = tuple(one for one in issue.relations if one.key != relation.key)
    return _put(state, replace(issue, relations=(*others, relation)))


def _unlink(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    relation = _relation(world, state, event)
    return _put(state, replace(issue, relations=tuple(one for one in issue.relations if one != relation)))


def _relation(world: World, state: State, event: Event) -> Relation:
    kind = _one_of(_text(event, "relation"), dict(RELATIONS), "relation")
    other = _text(event, "other")
    if issue_of(world, state, other) is None:
        raise ValueError(f"there is no issue {other!r}")
    return Relation(kind, other)


def _log(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    hours = event.args["hours"]
    if not isinstance(hours, int) or not 1 <= hours <= 12:
        raise ValueError("hours go from 1 to 12")
    work = Work(world.me, _day(_text(event, "date")), hours, _text(event, "note"))
    return _put(state, replace(issue, work=(*issue.work, work)))


def _close(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    resolution = _one_of(_text(event, "resolution"), dict(RESOLUTIONS), "resolution")
    issue = replace(issue, status=world.over, resolution=resolution, updated=world.today)
    if resolution == "duplicate":
        original = _text(event, "original")
        if issue_of(world, state, original) is None or original == issue.key:
            raise ValueError("a duplicate needs another issue as its original")
        others = tuple(one for one in issue.relations if one.key != original and one.kind != "duplicates")
        issue = replace(issue, relations=(*others, Relation("duplicates", original)))
    return _put(state, issue)


def _reopen(world: World, state: State, event: Event) -> State:
    issue = _open_issue(world, state, event)
    return _put(state, replace(issue, status=world.statuses[1].id, resolution="", updated=world.today))


def _create(world: World, state: State, event: Event) -> State:
    project = _one_of(_text(event, "project"), world.project, "project")
    names = ("kind", "priority", "assignee", "component", "milestone", "estimate", "due", "labels")
    fields = {name: _checked(world, state, project, name, event.args[name]) for name in names}
    title, body = _text(event, "title"), _text(event, "body")
    if not title:
        raise ValueError("an issue needs a title")
    issue = Issue(
        key=next_key(world, state, project),
        project=project,
        title=title,
        body=(body,) if body else (),
        status=world.statuses[0].id,
        reporter=world.me,
        created=world.today,
        updated=world.today,
        **fields,
    )
    return replace(_put(state, issue), created=(*state.created, issue.key))


def _milestone(world: World, state: State, event: Event) -> State:
    project = _one_of(_text(event, "project"), world.project, "project")
    first, last = _day(_text(event, "start")), _day(_text(event, "end"))
    name = _text(event, "name")
    if not name or last < first:
        raise ValueError("a milestone has a name and ends after it starts")
    taken = {one.id for one in milestones_of(world, state)}
    base = f"{project.lower()}-{slug(name) or 'milestone'}"
    own = next(one for one in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))) if one not in taken)
    lead = _one_of(_text(event, "lead"), world.person, "person")
    made = Milestone(own, project, name, _text(event, "goal"), first, last, lead)
    return replace(state, milestones=(*state.milestones, made))


def _save_filter(world: World, state: State, event: Event) -> State:
    del world
    name, query = _text(event, "name"), event.args["query"]
    if not name or not isinstance(query, list):
        raise ValueError("a filter has a name and a query")
    pairs = [str(part) for part in query]
    made = Filter(name, dict(zip(pairs[::2], pairs[1::2], strict=True)))
    return replace(state, filters=(*(one for one in state.filters if one.name != name), made))


def _drop_filter(world: World, state: State, event: Event) -> State:
    del world
    name = _text(event, "name")
    return replace(state, filters=tuple(one for one in state.filters if one.name != name))


def _settings(world: World, state: State, event: Event) -> State:
    del world
    return replace(state, settings=replace(state.settings, **event.args))


EVENTS: dict[str, Change] = {
    "edit": _edit,
    "comment": _comment,
    "watch": _watch,
    "vote": _vote,
    "link": _link,
    "unlink": _unlink,
    "log": _log,
    "close": _close,
    "reopen": _reopen,
    "create": _create,
    "milestone": _milestone,
    "save_filter": _save_filter,
    "drop_filter": _drop_filter,
    "settings": _settings,
}

"""Draws goals that perform an action."""

from __future__ import annotations

import re
from functools import cache

from webgym_hermetic.families.tracker.goals.changing import ChangeIssue, ChangeMany, CloseDuplicate
from webgym_hermetic.families.tracker.goals.choosing import ChangeSettings, ShowList
from webgym_hermetic.families.tracker.goals.making import CreateIssue, CreateMilestone, SaveFilter
from webgym_hermetic.families.tracker.goals.writing import CommentOn, Follow, LinkIssues, LogTime
from webgym_hermetic.families.tracker.listing import SORTS, found
from webgym_hermetic.families.tracker.records import DIGESTS, ESTIMATES, LANDINGS, SWITCHES, Issue
from webgym_hermetic.families.tracker.tasks.asks import query
from webgym_hermetic.families.tracker.tasks.draw import Draw, Part
from webgym_hermetic.families.tracker.words import capital, days_later, filled, slug
from webgym_hermetic.kit.data import Table, read_table


class ActTexts(Table, frozen=True):
    """Texts that tasks ask to be written."""

    comments: tuple[str, ...]
    notes: tuple[str, ...]
    filters: tuple[str, ...]


@cache
def _texts() -> ActTexts:
    return read_table(__name__, ActTexts)


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_FIELDS = ("status", "priority", "assignee", "milestone", "due", "estimate", "component", "kind", "+label", "-label")


def comment(draw: Draw) -> CommentOn | None:
    """A comment on an open issue."""
    issue = draw.open_issue()
    if issue is None:
        return None
    rng = draw.rng
    text = rng.pick(_texts().comments).format(
        day=days_later(draw.world.today, rng.between(1, 9)),
        weekday=rng.pick(_WEEKDAYS),
        file=rng.pick(draw.team.files),
        name=rng.pick(draw.world.people).name,
        hours=rng.between(2, 9),
    )
    return CommentOn(issue.key, text, rng.pick(("key", "title", "both")))


def follow(draw: Draw) -> Follow | None:
    """Watch an issue and vote for it."""
    issue = draw.open_issue()
    return Follow(issue.key, ("watch", "vote"), draw.rng.pick(("key", "title"))) if issue else None


def link(draw: Draw) -> LinkIssues | None:
    """A link between two similar issues."""
    issue = draw.open_issue()
    if issue is None:
        return None
    linked = {one.key for one in issue.relations}
    others = [one for one in draw.like(issue) if one.key not in linked]
    if len(others) < 2:
        return None
    return LinkIssues(issue.key, draw.rng.pick(("blocks", "relates")), others[0].key, others[1].key)


def duplicate(draw: Draw) -> CloseDuplicate | None:
    """An issue that is the same as a similar one."""
    issue = draw.open_issue()
    if issue is None or issue.relations:
        return None
    others = draw.like(issue)
    return CloseDuplicate(issue.key, others[0].key, others[1].key) if len(others) > 1 else None


def log(parts: tuple[str, ...] = ("hours", "date", "note")) -> Part:
    """Time spent on an issue in the last days."""

    def part(draw: Draw) -> LogTime | None:
        issue = draw.open_issue()
        if issue is None:
            return None
        rng = draw.rng
        day = days_later(draw.world.today, -rng.between(1, 6))
        return LogTime(issue.key, rng.between(2, 6), day, rng.pick(_texts().notes) if "note" in parts else "", parts)

    return part


def change(count: int) -> Part:
    """So many fields of an issue."""

    def part(draw: Draw) -> ChangeIssue | None:
        issue = draw.open_issue()
        if issue is None:
            return None
        wants: dict[str, str] = {}
        wrongs: dict[str, str] = {}
        for field in draw.rng.sample(_FIELDS, count):
            drawn = _new_value(draw, issue, field)
            if drawn is None:
                return None
            name, wants[name], wrongs[name] = drawn
        way = "board" if set(wants) == {"status"} and draw.rng.chance(0.6) else "search"
        return ChangeIssue(issue.key, wants, wrongs, draw.rng.pick(("key", "key", "title", "both")), way)

    return part


def _new_value(draw: Draw, issue: Issue, field: str) -> tuple[str, str, str] | None:
    """A field, a value it does not have, and another one."""
    world, rng = draw.world, draw.rng
    match field:
        case "+label" | "-label":
            has = field[0] == "-"
            options = [one for one in world.labels if (one in issue.labels) == has]
            return (f"{field[0]}{rng.pick(options)}", "", "") if options else None
        case "due":
            now = rng.between(5, 70)
            return field, days_later(world.today, now), days_later(world.today, now + rng.between(1, 9))
        case "status":
            options = [one.id for one in world.statuses[:-1]]
        case "priority" | "kind":
            options = list(getattr(world, field))
        case "assignee":
            options = list(world.person)
        case "milestone":
            options = [one.id for one in world.milestones if one.project == issue.project]
        case "estimate":
            options = [str(one) for one in ESTIMATES]
        case _:
            options = list(world.project[issue.project].components)
    value = draw.other(options, str(getattr(issue, field)))
    return field, value, draw.other(options, str(getattr(issue, field)), value)


def many(low: int, high: int) -> Part:
    """The same change to all issues that a filter finds, if there are so many."""

    def part(draw: Draw) -> ChangeMany | None:
        world = draw.world
        conditions = query(draw, 2)
        if conditions is None:
            return None
        rows = found(world, world.issues, conditions)
        if not low <= len(rows) <= high or any(one.locked or one.status == world.over for one in rows):
            return None
        keys = tuple(one.key for one in rows)
        field = draw.rng.pick(("status", "priority", "assignee", "milestone"))
        value = _common_value(draw, rows, field)
        if not value or not draw.free(keys):
            return None
        draw.take(*keys)
        return ChangeMany(conditions, keys, field, value)

    return part


def _common_value(draw: Draw, rows: list[Issue], field: str) -> str:
    world = draw.world
    match field:
        case "status":
            options = [one.id for one in world.statuses[:-1]]
        case "priority":
            options = list(world.priority)
        case "assignee":
            options = list(world.person)
        case _:
            options = [one.id for one in world.milestones if one.project == rows[0].project]
    return draw.other(options, *(str(getattr(one, field)) for one in rows))


def create(low: int, high: int) -> Part:
    """A new issue with so many fields to fill in."""

    def part(draw: Draw) -> CreateIssue | None:
        world, rng = draw.world, draw.rng
        project = rng.pick(world.projects)
        title, body = _words(draw, project.key)
        if title is None:
            return None
        options = _options(draw, project.key)
        count = rng.between(low, high)
        names = rng.sample(list(options), count - 1)
        wants = {"title": title}
        wrongs = {"title": f"{title} again", "body": "See the title.", "project": ""}
        for name in sorted(names, key=list(options).index):
            if name == "body":
                wants[name] = body
            else:
                key = f"+{options[name][0]}" if name.startswith("label") else name
                wants[key], wrongs[key] = ("", "") if key[0] == "+" else (options[name][0], options[name][1])
        if "component" in wants or "milestone" in wants:
            return CreateIssue(wants, wrongs, {"project": project.key})
        wants.popitem()
        other = draw.other([one.key for one in world.projects], project.key)
        return CreateIssue({"project": project.key, **wants}, {**wrongs, "project": other})

    return part


def _options(draw: Draw, project: str) -> dict[str, tuple[str, str]]:
    """Per field of the form: a value and another one."""
    world, rng = draw.world, draw.rng
    labels = rng.sample(world.labels, 2)
    due = days_later(world.today, rng.between(6, 75))

    def two(values: list[str]) -> tuple[str, str]:
        first, second = rng.sample(values, 2)
        return first, second

    kinds = list(world.kind)[1:]
    priorities = [one.id for index, one in enumerate(world.priorities) if index != 2]
    return {
        "body": ("", ""),
        "kind": two(kinds),
        "priority": two(priorities),
        "assignee": two(list(world.person)),
        "component": two(list(world.project[project].components)),
        "milestone": two([one.id for one in world.milestones if one.project == project]),
        "estimate": two([str(one) for one in ESTIMATES]),
        "due": (due, days_later(due, rng.between(1, 8))),
        "label": (labels[0], ""),
        "label2": (labels[1], ""),
    }


def _words(draw: Draw, project: str) -> tuple[str | None, str]:
    """A title that there is not yet, and a description."""
    subject = draw.rng.pick(draw.area(project).subjects)
    slots = draw.team.slots
    names = dict.fromkeys(re.findall(r"\{(\w+)\}", subject.title + subject.opening))
    values = {name: draw.rng.pick(slots[name]) for name in names}
    title = capital(subject.title.format(**values))
    shape = next(one for one in draw.team.shapes if one.name == subject.shapes.split(", ")[0])
    plain = next(one for one in shape.sentences if "{w}" not in one)
    body = f"{capital(subject.opening.format(**values))} {plain.format(v=filled(draw.rng, shape.value))}"
    taken = any(one.title.lower() == title.lower() for one in draw.world.issues)
    return None if taken else title, body


def new_milestone(draw: Draw) -> CreateMilestone | None:
    """A milestone after those that there are."""
    world, rng = draw.world, draw.rng
    project, other = rng.sample(world.projects, 2)
    spans = [one for one in world.milestones if one.project == project.key]
    last = int(re.sub(r"\D", "", spans[-1].name))
    start = days_later(spans[-1].end, rng.between(1, 8))
    end = days_later(start, rng.between(9, 24))
    goal, wrong_goal = rng.sample([one for one in draw.team.goals if one not in {span.goal for span in spans}], 2)
    leads = rng.sample(world.people, 2)
    name = f"{world.milestone_word} {last + rng.between(1, 2)}"
    wants = {"project": project.key, "name": name, "goal": goal, "start": start, "end": end, "lead": leads[0].id}
    wrongs = {
        "project": other.key,
        "name": f"{world.milestone_word} {last + 7}",
        "goal": wrong_goal,
        "start": days_later(start, 1),
        "end": days_later(end, 2),
        "lead": leads[1].id,
    }
    if rng.chance(0.5):
        del wants["goal"], wrongs["goal"]
    return CreateMilestone(wants, wrongs)


def save_filter(conditions: int) -> Part:
    """A saved filter with so many conditions and an order."""

    def part(draw: Draw) -> SaveFilter | None:
        drawn = _list_wants(draw, conditions)
        name = draw.rng.pick(_texts().filters)
        return SaveFilter(name, drawn[0], drawn[1]) if drawn else None

    return part


def show_list(conditions: int) -> Part:
    """The issue list with so many conditions, one of which may be the order."""

    def part(draw: Draw) -> ShowList | None:
        drawn = _list_wants(draw, conditions)
        return ShowList(drawn[0], drawn[1]) if drawn else None

    return part


def _list_wants(draw: Draw, count: int) -> tuple[dict[str, str], dict[str, str]] | None:
    world, rng = draw.world, draw.rng
    values = {
        "project": list(world.project),
        "status": [*world.status, "open"],
        "assignee": list(world.person),
        "label": list(world.labels),
        "priority": list(world.priority),
        "kind": list(world.kind),
        "sort": [name for name, _ in SORTS if name != "updated"],
    }
    names = sorted(rng.sample(list(values), count), key=list(values).index)
    if names == ["sort"] or len(names) < count:
        return None
    pairs = {name: rng.sample(values[name], 2) for name in names}
    return {name: pair[0] for name, pair in pairs.items()}, {name: pair[1] for name, pair in pairs.items()}


def settings(count: int) -> Part:
    """So many settings that are otherwise now."""

    def part(draw: Draw) -> ChangeSettings | None:
        world, rng, now = draw.world, draw.rng, draw.world.settings
        options = {
            "project": list(world.project),
            "zone": [slug(one) for one in world.zones],
            "digest": [name for name, _ in DIGESTS],
            "landing": [name for name, _ in LANDINGS],
        }
        wants: dict[str, str] = {}
        wrongs: dict[str, str] = {}
        switches = [name for name, _, _ in SWITCHES]
        for name in rng.sample([*options, *switches], count):
            current = getattr(now, name)
            if name in options:
                wants[name] = draw.other(options[name], current)
                wrongs[name] = draw.other(options[name], current, wants[name])
            else:
                wants[name], wrongs[name] = ("off" if current else "on"), ""
        return ChangeSettings(wants, wrongs)

    return part

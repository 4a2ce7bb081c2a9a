"""Draws goals that ask for information."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from webgym_hermetic.families.tracker.goals.about import (
    TellAboutMilestone,
    TellAboutPerson,
    TellAboutRelease,
    TellFromHandbook,
    TellFromReports,
    TellNextMilestone,
)
from webgym_hermetic.families.tracker.goals.asking import Asked
from webgym_hermetic.families.tracker.goals.issue_facts import (
    CompareIssues,
    CountIssues,
    FirstIssue,
    TellAboutIssue,
    TellMentioned,
)
from webgym_hermetic.families.tracker.listing import found, matches
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.tasks.draw import Draw, Part, day, number, text
from webgym_hermetic.families.tracker.words import days_later

_FIELDS = ("assignee", "reporter", "due", "estimate", "priority", "status", "component", "milestone", "votes", "kind")
_BY = ("key", "key", "title", "both")


def _some(rng_asked: Sequence[Asked | None], count: int) -> tuple[Asked, ...]:
    return tuple(one for one in rng_asked if one is not None)[:count]


def fields(count: int) -> Part:
    """So many fields of an issue."""

    def part(draw: Draw) -> TellAboutIssue | None:
        issue = draw.issue()
        if issue is None:
            return None
        asked = _some([_field(draw, issue, name) for name in draw.rng.shuffled(_FIELDS)], count)
        if len(asked) < count:
            return None
        return TellAboutIssue(asked, issue.key, draw.rng.pick(_BY))

    return part


def _field(draw: Draw, issue: Issue, name: str) -> Asked | None:
    world, alike = draw.world, draw.like(issue)
    match name:
        case "assignee" | "reporter":
            people = [getattr(one, name) for one in alike] + [issue.assignee, issue.reporter]
            names = [world.name(one) for one in people if one]
            value = getattr(issue, name)
            wrong = draw.other(names, world.name(value)) if value else ""
            return text(f"the {name}", world.name(value) if value else "", names, wrong)
        case "due":
            return day(
                "the due date", issue.due, [one.due for one in alike], days_later(issue.due, 3) if issue.due else ""
            )
        case "estimate" | "votes":
            words = {"estimate": "the estimate in hours", "votes": "the number of votes"}
            value = getattr(issue, name)
            others = [str(getattr(one, name)) for one in alike]
            return number(words[name], str(value), others, str(value + 3)) if value else None
        case "priority" | "status" | "kind":
            names = getattr(world, name)
            value = names[getattr(issue, name)]
            wrong = draw.other(list(names.values()), value)
            return text(
                "the type" if name == "kind" else f"the {name}", value, list(names.values()), wrong, issue.title
            )
        case "component":
            parts = world.project[issue.project].components
            return text("the component", issue.component, parts, draw.other(parts, issue.component), issue.title)
        case _:
            spans = [one.name for one in world.milestones if one.project == issue.project]
            value = world.milestone[issue.milestone].name if issue.milestone else ""
            return text("the milestone", value, spans, draw.other(spans, value), issue.title)


def mentioned(count: int) -> Part:
    """So many facts of a description."""

    def part(draw: Draw) -> TellMentioned | None:
        issue = draw.issue()
        if issue is None:
            return None
        asked = _some([_mentioned(draw, issue, name) for name in range(len(issue.details))], count)
        if len(asked) < count:
            return None
        return TellMentioned(asked, issue.key, draw.rng.pick(_BY))

    return part


def _mentioned(draw: Draw, issue: Issue, index: int) -> Asked | None:
    detail = issue.details[index]
    others = [one.value for each in draw.like(issue) for one in each.details if one.name == detail.name]
    others = [one for one in (detail.other, *others) if one]
    wrong = next((one for one in others if one != detail.value), "")
    if detail.unit:
        numbers = [_bare(one) for one in others]
        return number(f"the {detail.name}", _bare(detail.value), numbers, _bare(wrong) if wrong else "")
    return text(f"the {detail.name}", detail.value, others, wrong)


def _bare(value: str) -> str:
    return re.sub(r"[^\d.]", "", value)


def person(count: int) -> Part:
    """So many facts of a person's profile."""

    def part(draw: Draw) -> TellAboutPerson | None:
        people = draw.world.people
        one = draw.rng.pick(people)
        roles, places = [each.role for each in people], [each.place for each in people]
        other = draw.rng.pick([each for each in people if each.id != one.id])
        asked = draw.rng.shuffled(
            [
                text("the role", one.role, roles, draw.other(roles, one.role)),
                text("the location", one.place, places, draw.other(places, one.place)),
                number("the phone extension", one.extension, [other.extension], other.extension),
                day("the joining date", one.joined, [other.joined], days_later(one.joined, 11)),
            ]
        )
        chosen = _some(asked, count)
        return TellAboutPerson(chosen, one.id) if len(chosen) == count else None

    return part


def milestone(count: int) -> Part:
    """So many facts of a milestone."""

    def part(draw: Draw) -> TellAboutMilestone | None:
        world = draw.world
        span = draw.rng.pick(world.milestones)
        others = [one for one in world.milestones if one.project == span.project and one.id != span.id]
        leads = [world.name(one.lead) for one in others]
        goals = [one.goal for one in others]
        asked = draw.rng.shuffled(
            [
                day("the end date", span.end, [one.end for one in others], others[0].end),
                day("the start date", span.start, [one.start for one in others], others[0].start),
                text("the lead", world.name(span.lead), leads, draw.other(leads, world.name(span.lead))),
                text("the goal", span.goal, goals, goals[0]),
            ]
        )
        chosen = _some(asked, count)
        return TellAboutMilestone(chosen, span.id) if len(chosen) == count else None

    return part


def release(count: int) -> Part:
    """So many facts of a release."""

    def part(draw: Draw) -> TellAboutRelease | None:
        world = draw.world
        one = draw.rng.pick(world.releases)
        others = [each for each in world.releases if each.project == one.project and each.id != one.id]
        managers = [world.name(each.manager) for each in others]
        wrong = draw.other(managers, world.name(one.manager))
        asked = draw.rng.shuffled(
            [
                day("the release date", one.date, [each.date for each in others], others[0].date),
                text("the release manager", world.name(one.manager), managers, wrong),
            ]
        )
        chosen = _some(asked, count)
        return TellAboutRelease(chosen, one.id) if len(chosen) == count else None

    return part


def handbook(count: int) -> Part:
    """So many facts of a page of the handbook."""

    def part(draw: Draw) -> TellFromHandbook | None:
        article = draw.rng.pick(draw.world.articles)
        sayings = draw.rng.sample(article.sayings, count)
        asked = [text(one.ask, one.value, one.others, draw.other(one.others, one.value)) for one in sayings]
        chosen = _some(asked, count)
        return TellFromHandbook(chosen, article.slug) if len(chosen) == count else None

    return part


def report(draw: Draw) -> TellFromReports | None:
    """A count or the top of a table of the reports."""
    world = draw.world
    project = draw.rng.pick(world.projects)
    opened = [one for one in world.issues if one.project == project.key and one.status != world.over]
    if draw.rng.chance(0.4):
        tally = sorted(((sum(one.assignee == own for one in opened), own) for own in project.members), reverse=True)
        if tally[0][0] == tally[1][0]:
            return None
        names = [world.name(own) for _, own in tally[:4]]
        asked = text("the person with the most open issues", names[0], names[1:], names[1])
    else:
        field = draw.rng.pick(("priority", "kind", "component"))
        values = project.components if field == "component" else list(getattr(world, field))
        counts = {value: sum(getattr(one, field) == value for one in opened) for value in values}
        value = draw.rng.pick(list(counts))
        shown = value if field == "component" else getattr(world, field)[value]
        others = [str(count) for one, count in counts.items() if one != value]
        word = "type" if field == "kind" else field
        asked = number(
            f"the number of open issues with {word} {shown}",
            str(counts[value]),
            others,
            draw.other(others, str(counts[value])),
        )
    return TellFromReports((asked,), project.key) if asked else None


def next_milestone(draw: Draw) -> TellNextMilestone | None:
    """Which milestone of a project is first, last, current or largest."""
    world = draw.world
    project = draw.rng.pick(world.projects)
    spans = [one for one in world.milestones if one.project == project.key]
    sizes = {one.id: sum(issue.milestone == one.id for issue in world.issues) for one in spans}
    target = draw.rng.pick(spans)
    phrases = [f'has the goal "{target.goal}"', f"is led by {world.name(target.lead)}"]
    if sum(one.lead == target.lead for one in spans) > 1:
        phrases.pop()
    if sorted(sizes.values())[-2] < sizes[target.id]:
        phrases.append("has the most issues")
    if target.start <= world.today <= target.end:
        phrases.append("is running today")
    names = [one.name for one in spans if one.id != target.id]
    asked = text("the name", target.name, names, draw.rng.pick(names))
    return TellNextMilestone((asked,), project.key, draw.rng.pick(phrases)) if asked else None


def compare(draw: Draw) -> CompareIssues | None:
    """Two issues that are easily mistaken for each other, and how they differ."""
    world = draw.world
    first = draw.issue()
    alike = draw.like(first) if first else []
    if first is None or not alike:
        return None
    second = alike[0]
    ranks = {one.id: rank for rank, one in enumerate(world.priorities)}
    measures: tuple[tuple[str, int, int], ...] = (
        ("has the higher priority", ranks[second.priority], ranks[first.priority]),
        ("has more votes", first.votes, second.votes),
        ("has the larger estimate", first.estimate * bool(second.estimate), second.estimate * bool(first.estimate)),
        ("was created earlier", _ordinal(second.created), _ordinal(first.created)),
        ("is due earlier", _ordinal(second.due if first.due else ""), _ordinal(first.due if second.due else "")),
    )
    options = [(phrase, one > other) for phrase, one, other in measures if one != other]
    if not options:
        return None
    phrase, is_first = draw.rng.pick(options)
    keys = (first.key, second.key) if is_first else (second.key, first.key)
    draw.take(*keys)
    shown = keys if draw.rng.chance(0.5) else (keys[1], keys[0])
    return CompareIssues((Asked("the key", keys[0], keys[1], rivals=(keys[1],)),), shown, phrase)


def _ordinal(iso: str) -> int:
    return date.fromisoformat(iso).toordinal() if iso else 0


def condition(draw: Draw, issue: Issue, name: str) -> str:
    """A filter's value that finds this issue; empty if there is none."""
    match name:
        case "label":
            return draw.rng.pick(issue.labels) if issue.labels else ""
        case "status":
            return "open" if issue.status != draw.world.over and draw.rng.chance(0.4) else issue.status
        case _:
            return getattr(issue, name)


def query(draw: Draw, count: int) -> dict[str, str] | None:
    """A project and so many conditions more; something meets them."""
    issue = draw.rng.pick(draw.world.issues)
    names = draw.rng.sample(("status", "label", "priority", "kind", "assignee", "milestone"), count)
    conditions = {name: condition(draw, issue, name) for name in names}
    if not all(conditions.values()):
        return None
    return {"project": issue.project, **conditions}


def count(conditions: int) -> Part:
    """How many issues meet so many conditions."""

    def part(draw: Draw) -> CountIssues | None:
        world = draw.world
        chosen = query(draw, conditions)
        if chosen is None:
            return None
        value = _how_many(world, chosen)
        others = [_how_many(world, {key: one for key, one in chosen.items() if key != name}) for name in chosen]
        others = [str(one) for one in others if one != value]
        asked = number("the number of issues", str(value), others, others[0] if others else "")
        return CountIssues((asked,), chosen) if asked else None

    return part


def _how_many(world: World, chosen: dict[str, str]) -> int:
    return sum(matches(world, one, chosen) for one in world.issues)


def first(draw: Draw) -> FirstIssue | None:
    """The issue at the top of a list."""
    world = draw.world
    chosen = query(draw, draw.rng.between(1, 2))
    if chosen is None:
        return None
    sort, phrase, field = draw.rng.pick(
        (
            ("due", "the earliest due date", "due"),
            ("votes", "the most votes", "votes"),
            ("estimate", "the largest estimate", "estimate"),
            ("created", "the earliest creation date", "created"),
        )
    )
    chosen["sort"] = sort
    rows = found(world, world.issues, chosen)
    if len(rows) < 3 or not getattr(rows[0], field) or getattr(rows[0], field) == getattr(rows[1], field):
        return None
    if not draw.free([rows[0].key]):
        return None
    draw.take(rows[0].key)
    key, wrong = rows[0].key, rows[1].key
    return FirstIssue((Asked("the key", key, wrong, rivals=(wrong, rows[2].key)),), chosen, key, phrase)

"""Lists of issues: filters, order, pages. All of it is in the query of the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.words import number_of

FILTERS = ("project", "status", "assignee", "label", "priority", "kind", "component", "milestone", "q")
SORTS = (
    ("updated", "Recently updated"),
    ("created", "Oldest first"),
    ("newest", "Newest first"),
    ("due", "Due date"),
    ("priority", "Priority"),
    ("votes", "Most votes"),
    ("estimate", "Largest estimate"),
)
PAGE_SIZE = 12


def chosen(query: Mapping[str, str]) -> dict[str, str]:
    """The filters and the order of a query, without what is left open."""
    kept = {name: query[name] for name in FILTERS if query.get(name)}
    if query.get("sort") in dict(SORTS) and query["sort"] != "updated":
        kept["sort"] = query["sort"]
    return kept


def found(world: World, issues: Sequence[Issue], query: Mapping[str, str]) -> list[Issue]:
    """The issues that a query asks for, in its order."""
    kept = [issue for issue in issues if matches(world, issue, query)]
    return ordered(world, kept, query.get("sort") or "updated")


def matches(world: World, issue: Issue, query: Mapping[str, str]) -> bool:
    """Whether an issue passes all filters of a query."""
    return all(_passes(world, issue, name, query[name]) for name in FILTERS if query.get(name))


def _passes(world: World, issue: Issue, name: str, value: str) -> bool:
    match name:
        case "label":
            return value in issue.labels
        case "assignee":
            return issue.assignee == ("" if value == "none" else value)
        case "status":
            return issue.status != world.over if value == "open" else issue.status == value
        case "q":
            return says(issue, value)
        case _:
            return getattr(issue, name) == value


def says(issue: Issue, text: str) -> bool:
    """Whether all words of a text are in the key, the title or the description."""
    where = f"{issue.key} {issue.title} {' '.join(issue.body)}".lower()
    return all(word in where for word in text.lower().split())


def ordered(world: World, issues: list[Issue], sort: str) -> list[Issue]:
    """The same issues, sorted; ties by key."""
    ranks = {one.id: rank for rank, one in enumerate(world.priorities)}
    issues = sorted(issues, key=lambda one: (one.project, number_of(one.key)))
    match sort:
        case "created":
            return sorted(issues, key=lambda one: one.created)
        case "newest":
            return sorted(issues, key=lambda one: one.created, reverse=True)
        case "due":
            return sorted(issues, key=lambda one: one.due or "9999")
        case "priority":
            return sorted(issues, key=lambda one: ranks[one.priority])
        case "votes":
            return sorted(issues, key=lambda one: one.votes + one.voted, reverse=True)
        case "estimate":
            return sorted(issues, key=lambda one: one.estimate, reverse=True)
        case _:
            return sorted(issues, key=lambda one: one.updated, reverse=True)


def relevance(issue: Issue, text: str) -> tuple[int, int]:
    """How well an issue answers a search; smaller is better."""
    folded = text.lower().strip()
    title = issue.title.lower()
    if issue.key.lower() == folded:
        return (0, 0)
    if folded == title:
        return (1, 0)
    return (2 if folded in title else 3 if all(word in title for word in folded.split()) else 4, number_of(issue.key))

"""What several pages count and show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym_hermetic.families.tracker.listing import PAGE_SIZE
from webgym_hermetic.families.tracker.records import Issue, World
from webgym_hermetic.families.tracker.state import State, issues_of


def paged(query: Mapping[str, str], count: int) -> tuple[int, int]:
    """The page that a query asks for, and how many there are."""
    pages = max(1, -(-count // PAGE_SIZE))
    asked = query.get("page", "")
    return min(pages, max(1, int(asked))) if asked.isdecimal() else 1, pages


def counts(issues: Sequence[Issue], values: Sequence[str], field: str) -> list[tuple[str, int]]:
    """How many issues have each value."""
    found = [getattr(one, field) for one in issues]
    return [(value, found.count(value)) for value in values]


def progress(world: World, state: State) -> dict[str, tuple[int, int]]:
    """Per milestone: how many issues are over, and how many there are."""
    done: dict[str, int] = {}
    total: dict[str, int] = {}
    for one in issues_of(world, state):
        total[one.milestone] = total.get(one.milestone, 0) + 1
        done[one.milestone] = done.get(one.milestone, 0) + (one.status == world.over)
    return {span: (done[span], total[span]) for span in total}

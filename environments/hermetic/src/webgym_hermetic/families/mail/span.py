"""Which days a view of the calendar shows."""

from __future__ import annotations

from datetime import date, timedelta

VIEWS = (("day", "Day"), ("week", "Week"), ("list", "List"))


SEARCHED = 70
"""Days back that the search form offers."""


def default_view(structure: str) -> str:
    """What the calendar shows first."""
    return "list" if structure in ("cards", "timeline") else "week"


def span(view: str, at: str) -> tuple[str, str, str, str]:
    """First and last day shown, and a day of the spans before and after."""
    day = date.fromisoformat(at)
    match view:
        case "day":
            first = last = day
        case "week":
            first = day - timedelta(days=day.weekday())
            last = first + timedelta(days=6)
        case _:
            first = day.replace(day=1)
            last = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    before, after = first - timedelta(days=1), last + timedelta(days=1)
    return first.isoformat(), last.isoformat(), before.isoformat(), after.isoformat()

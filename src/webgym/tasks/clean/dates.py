"""Rewrites expiring dates relative to the day of the attempt: `{{today+14d}}`.

Only planned dates are rewritten (a flight, a stay, a booking), and only if a year is given: "March 5, 2019" in a
question about the news is part of the question. The intervals between a task's dates are preserved.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec

from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.tasks.extra import extra_of, keep, revised

Style = Literal["long", "short", "iso", "us"]
LEAD_DAYS = 14
"""Days between the attempt and the task's first date."""
LONGEST_PLAN_DAYS = 300
ANSWER = "answer_as_given"
"""Extra field that keeps the reference answer for the original dates: it need not hold for others."""

_MONTHS = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_TO = r"(?:\s*(?:-|\u2013|\u2014)\s*|\s+(?:to|and|until|through)\s+)"
_LAST = r"(?P<last>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>20[0-4]\d)"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
_SHAPES = tuple(
    re.compile(rf"\b{_WEEKDAY}{shape}(?!\w)", re.IGNORECASE)
    for shape in (
        rf"{_YEAR}-(?P<number>[01]\d)-{_DAY}",
        rf"(?P<number>[01]?\d)/{_DAY}/{_YEAR}",
        rf"{_MONTH}\s+{_DAY}(?:{_TO}{_LAST}(?!\s*(?:am|pm|:)))?(?:,?\s+{_YEAR})?",
        rf"{_DAY}(?:{_TO}{_LAST})?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
    )
)
_PLANS = re.compile(
    r"\b(?:book(?:ing)?|reserv\w+|flights?|fly|hotels?|stay(?:ing)?|check[- ]?(?:in|out)|trip|travel\w*|itinerary|"
    r"rent(?:al)?|pick[- ]?up|drop[- ]?off|depart\w*|return(?:ing)?|one[- ]way|round[- ]trip|cruise|tickets?|"
    r"availab\w+|appointment|vacation|accommodation|table for|nights?)\b",
    re.IGNORECASE,
)
_FIXED = re.compile(
    r"\b(?:events?|concerts?|movie|film|showing|game|match|conference|webinar|workshop|exhibition|festival)\b",
    re.IGNORECASE,
)
"""Events with a fixed date: moving it would ask for something that does not exist."""
_TEMPLATE = re.compile(r"\{\{today(?:(?P<days>[+-]\d{1,4})d)?(?::(?P<style>long|short|iso|us))?\}\}")


@dataclass(frozen=True, slots=True)
class _DateMatch:
    start: int
    end: int
    date: tuple[int | None, int, int]
    """Year if given, month, day."""
    style: Style


def with_dates(text: str, today: dt.date) -> str:
    """Fill in the date templates of a text."""

    def filled(match: re.Match[str]) -> str:
        date = today + dt.timedelta(days=int(match["days"] or 0))
        return _written(date, match["style"] or "long")

    return _TEMPLATE.sub(filled, text) if "{{" in text else text


def rubric_with_dates(rubric: tuple[FactGroup, ...], today: dt.date) -> tuple[FactGroup, ...]:
    """Fill in the date templates of fact groups."""
    return _changed(rubric, lambda text: with_dates(text, today))


def made_relative(row: TaskRow) -> TaskRow | None:
    """Return the task with templates in place of its dates, or None if it has no dates that expire."""
    if row.sealed or "{{today" in row.instruction or not _PLANS.search(row.instruction):
        return None
    first = _first_day(row.instruction)
    if first is None or _FIXED.search(row.instruction):
        return None
    lead = 0 if re.search(r"\btoday\b", row.instruction, re.IGNORECASE) else LEAD_DAYS
    fields = {ANSWER: row.answer} if row.answer is not None else {}
    changes = {
        "instruction": _relative(row.instruction, first, lead),
        "rubric": _changed(row.rubric, lambda text: _relative(text, first, lead)),
        "original": row.instruction,
        "answer": None,
    }
    told = revised(row, **changes)
    kept = extra_of(told)
    return msgspec.structs.replace(told, extra=keep(kept.fields | fields, kept.missing)) if fields else told


def is_past(text: str, today: dt.date) -> bool:
    """Whether a task is about an event with a fixed date that has passed."""
    if not (_PLANS.search(text) and _FIXED.search(text)):
        return False
    days = [date for date, _ in _dated(text)]
    return bool(days) and max(days) < today


def _first_day(text: str) -> dt.date | None:
    """Return the first date of a plan; None if there is none, no year is given, or the dates are too far apart."""
    dates = [date for date, _ in _dated(text)]
    if not dates or (max(dates) - min(dates)).days > LONGEST_PLAN_DAYS:
        return None
    return min(dates)


def _relative(text: str, first: dt.date, lead: int) -> str:
    parts: list[str] = []
    done = 0
    for date, found in _dated(text, otherwise=first):
        days = (date - first).days + lead
        style = "" if found.style == "long" else f":{found.style}"
        parts += [text[done : found.start], f"{{{{today{days:+d}d{style}}}}}"]
        done = found.end
    return "".join([*parts, text[done:]])


def _dated(text: str, otherwise: dt.date | None = None) -> Iterator[tuple[dt.date, _DateMatch]]:
    """Yield the dates of a text. A missing year is taken from the next date, else the last, else from `otherwise`."""
    found = _found(text)
    alone = not any(match.date[0] for match in found)
    last = next((match.date[0] for match in reversed(found) if match.date[0]), otherwise.year if otherwise else None)
    if last is None:
        return
    for number, match in enumerate(found):
        year, month, day = match.date
        if year is None:
            following = next((other.date for other in found[number:] if other.date[0]), (last, 12, 31))
            year = following[0] or last
            if (month, day) > following[1:]:  # December 30 to January 2, 2024
                year -= 1
            elif alone and otherwise and (month, day) < (otherwise.month, otherwise.day):  # the plan spans New Year
                year += 1
        try:
            yield dt.date(year, month, day), match
        except ValueError:  # such as February 31
            continue


def _found(text: str) -> list[_DateMatch]:
    matches = sorted((match for shape in _SHAPES for match in shape.finditer(text)), key=lambda one: one.start())
    found: list[_DateMatch] = []
    for match in matches:
        if not found or match.start() >= found[-1].end:
            found += _days(match)
    return found


def _days(match: re.Match[str]) -> list[_DateMatch]:
    """Return the date of a match, or both dates of `March 3-5`."""
    groups = match.groupdict()
    year = int(groups["year"]) if groups["year"] else None
    if groups.get("number"):
        style: Style = "us" if "/" in match[0] else "iso"
        return [_DateMatch(match.start(), match.end(), (year, int(groups["number"]), int(groups["day"])), style)]
    month = _MONTHS[groups["month"].casefold()]
    style = "long" if year else "short"
    if not groups.get("last"):
        return [_DateMatch(match.start(), match.end(), (year, month, int(groups["day"])), style)]
    until = match.start("last")
    between = re.search(rf"{_TO}\Z", match.string[match.end("day") : until], re.IGNORECASE)
    middle = match.end("day") + (between.start() if between else 0)
    return [
        _DateMatch(match.start(), middle, (year, month, int(groups["day"])), "short"),
        _DateMatch(until, match.end(), (year, month, int(groups["last"])), style),
    ]


def _written(date: dt.date, style: str) -> str:
    match style:
        case "iso":
            return date.isoformat()
        case "us":
            return f"{date:%m/%d/%Y}"
        case "short":
            return f"{calendar.month_name[date.month]} {date.day}"
        case _:
            return f"{calendar.month_name[date.month]} {date.day}, {date.year}"


def _changed(rubric: tuple[FactGroup, ...], change: Callable[[str], str]) -> tuple[FactGroup, ...]:
    return tuple(FactGroup(group.id, change(group.description), tuple(map(change, group.facts))) for group in rubric)

"""Matchers for free-text answers: numbers, names and dates in their common spellings."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NOT_WORDS = re.compile(r"[^a-z0-9.%]+")
_LOOSE_DOTS = re.compile(r"\.(?!\d)")


def says_number(answer: str, value: float, *, rivals: tuple[float, ...] = ()) -> bool:
    """Return whether the answer contains the number, as `1299`, `1,299.00` or `$1,299`, and none of the rivals."""
    text = _THOUSANDS.sub("", answer.replace("$", " ").replace("€", " ").replace("£", " "))
    found = {round(float(number), 4) for number in _NUMBER.findall(text)}
    return round(value, 4) in found and not any(round(rival, 4) in found for rival in rivals)


def says_text(answer: str, value: str, *, rivals: tuple[str, ...] = ()) -> bool:
    """Return whether the answer contains the value as a phrase, and none of the rivals.

    Case and punctuation are ignored. A rival that occurs only inside the value itself does not count.
    """
    text, wanted = f" {_folded(answer)} ", f" {_folded(value)} "
    if wanted not in text:
        return False
    rest = text.replace(wanted, "  ")
    return not any(f" {_folded(rival)} " in rest for rival in rivals)


def says_date(answer: str, value: str) -> bool:
    """Return whether the answer contains the ISO date: `2026-03-14`, `March 14, 2026`, `14 Mar`, `03/14/2026`."""
    day = date.fromisoformat(value)
    text = f" {_folded(answer)} "
    month = _MONTHS[day.month - 1]
    names = (month, month[:3])
    ordinals = (str(day.day), f"{day.day:02d}", f"{day.day}{_ordinal(day.day)}")
    spelt = [f" {name} {ordinal} " for name in names for ordinal in ordinals]
    spelt += [f" {ordinal} {name} " for name in names for ordinal in ordinals]
    spelt += [f" {ordinal} of {name} " for name in names for ordinal in ordinals]
    plain = (f" {day.year} {day.month:02d} {day.day:02d} ", f" {day.month:02d} {day.day:02d} {day.year} ")
    return any(one in text for one in (*spelt, *plain))


def _folded(text: str) -> str:
    return _NOT_WORDS.sub(" ", _LOOSE_DOTS.sub(" ", text.lower().replace("'", "").replace("\u2019", ""))).strip()


def _ordinal(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")

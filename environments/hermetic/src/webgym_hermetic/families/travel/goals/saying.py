"""Whether an answer says a time, a phone number, a number or a name, and nothing that competes with it."""

from __future__ import annotations

import re

from webgym_hermetic.answers import says_number, says_text

_CLOCK = re.compile(r"(?<![\d:])(\d{1,2})[:h](\d{2})(?![\d:])\s*(am|pm|a\.m|p\.m)?", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? "
    r"\d{1,2}(?:st|nd|rd|th)?(?:,? 20\d{2})?\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"\d{1,2}:\d{2}")
_NUMBER = re.compile(r"\$?(\d+(?:\.\d+)?)")


def says(answer: str, value: str, rivals: tuple[str, ...] = ()) -> bool:
    """Whether the value is in the answer, in one of its spellings, and none of its rivals is."""
    others = tuple(rival for rival in rivals if rival != value)
    if _TIME.fullmatch(value):
        said = _times(answer)
        return _padded(value) in said and not said & {_padded(rival) for rival in others}
    if value.startswith("+"):
        digits = _digits(answer)
        return _digits(value) in digits and not any(_digits(rival) in digits for rival in others)
    if number := _NUMBER.fullmatch(value):
        others_said = (_NUMBER.fullmatch(rival) for rival in others)
        competing = tuple(float(rival[1]) for rival in others_said if rival)
        return says_number(_CLOCK.sub(" ", _DATE.sub(" ", answer)), float(number[1]), rivals=competing)
    return says_text(answer, value, rivals=others)


def _times(answer: str) -> set[str]:
    times: set[str] = set()
    for hours, minutes, half in _CLOCK.findall(answer):
        hour = int(hours) % 12 + (12 if half.lower().startswith("p") else 0) if half else int(hours)
        times.add(f"{hour:02d}:{minutes}")
    return times


def _padded(time: str) -> str:
    return time if len(time) == 5 else f"0{time}"


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())

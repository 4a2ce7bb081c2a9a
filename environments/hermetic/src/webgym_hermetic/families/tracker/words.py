"""Small things about text: ids, made-up values, capitals."""

from __future__ import annotations

import re
from datetime import date, timedelta

from webgym.rng import Rng


def slug(text: str) -> str:
    """An id for addresses and forms."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def filled(rng: Rng, shape: str) -> str:
    """A value: `#` becomes a digit, `@` a letter. No number begins with a zero."""
    text = ""
    for sign in shape:
        if sign == "#":
            text += str(rng.between(0 if text[-1:].isdigit() else 1, 9))
        else:
            text += rng.pick("ABCDEFGHJKLMNPRSTUVWX") if sign == "@" else sign
    return text


def capital(text: str) -> str:
    """With a capital at the start."""
    return text[:1].upper() + text[1:]


def number_of(key: str) -> int:
    """The number in the key of an issue."""
    return int(key.rpartition("-")[2])


def written(iso: str) -> str:
    """A date in words."""
    day = date.fromisoformat(iso)
    return f"{day:%B} {day.day}, {day.year}"


def days_later(iso: str, days: int) -> str:
    """The date so many days after another one."""
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()

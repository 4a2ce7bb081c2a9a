"""Parsing of replies, to tell which parts are correct."""

from __future__ import annotations

import re
from typing import NamedTuple

_PLACE = re.compile(r"<(\d{3})><(\d{3})>")
_SEPARATOR = ">"
ANSWERING = "a"
"""The verb that ends an attempt."""

Box = tuple[int, int, int, int]


class Said(NamedTuple):
    """A decision: a verb and its arguments."""

    verb: str
    """One letter."""
    place: tuple[int, int] | None
    """Column and row of a cell."""
    text: str


def read_decision(reply: str) -> Said:
    """Parse `NAME>VERB<column><row>TEXT`; the name does not affect the action and is dropped."""
    rest = reply.partition(_SEPARATOR)[2]
    found = _PLACE.match(rest, 1)
    place = (int(found[1]), int(found[2])) if found else None
    return Said(rest[:1], place, rest[found.end() :] if found else rest[1:])


def read_place(reply: str) -> tuple[int, int] | None:
    """Return the first location that a reply names."""
    found = _PLACE.search(reply)
    return (int(found[1]), int(found[2])) if found else None


def inside(place: tuple[int, int] | None, box: Box, side: float) -> bool:
    """Whether the midpoint of a cell is in a box."""
    if place is None:
        return False
    x, y = ((cell + 0.5) * side for cell in place)
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]

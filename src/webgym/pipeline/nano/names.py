"""What to call the elements of a page in a few words: what they show, else what their address or test id says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webgym.agent.dialects.nano import name_for
from webgym.records.action import Point
from webgym.records.observation import Box, Element, Viewport

FIELDS = ("input", "select", "textarea")
TICKED = ("checkbox", "radio")
"""Types of inputs that are on or off."""
_BUTTONS = ("submit", "button", "reset", "image")
_INTERACTIVE = ("a", "button", "summary", *FIELDS)
_JOINTS = re.compile(r"[-_/=?&:]+")
_SHORT = 14
"""Characters of a text that may stand on many things of a page: what it is about is told after it."""

Corners = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def is_interactive(element: Element) -> bool:
    return element.tag in _INTERACTIVE


def is_text_field(element: Element) -> bool:
    """Whether something can be typed into it."""
    return element.tag == "textarea" or (element.tag == "input" and element.type not in (*TICKED, *_BUTTONS))


def name_of(element: Element) -> str:
    """At most 28 characters; empty if there is nothing to call it by."""
    text = " ".join(element.text.split())
    role, _, rest = element.key.partition(":")
    if element.tag == "select" and letters(rest):
        return name_for(f"{text} {_spaced(rest)}" if letters(text) < 2 else text)
    if letters(text) < 2 and not text.isdigit():
        return name_for(_spaced(element.key) if letters(role) else _place_name(element.href) or text)
    about = rest.rpartition(":")[2]
    told = about.casefold() in text.casefold()
    if element.tag in ("a", "button") and len(text) < _SHORT and ":" in rest and letters(about) > 3 and not told:
        return name_for(f"{text} {_spaced(about)}")
    return name_for(text)


def letters(text: str) -> int:
    """How many there are."""
    return sum(character.isalpha() for character in text)


def element_at(elements: Sequence[Element], point: Point) -> Element | None:
    """The smallest of those around a point that a click would reach."""
    around = [one for one in elements if one.point is not None and _holds(one.box, point)]
    return min(around, key=lambda one: one.box.width * one.box.height, default=None)


def element_of(elements: Sequence[Element], box: Box | None, point: Point) -> Element | None:
    """What a decision aims at, by its box; else what is at its point."""
    exact = (one for one in elements if one.box == box and one.point == point)
    return next(exact, None) or element_at(elements, point)


def aim_box(box: Box, point: Point, viewport: Viewport) -> Corners:
    """The largest part of a box in the viewport that has the point in its middle."""
    left, top, right, bottom = clipped(box, viewport)
    across = max(3.0, min(point.x + 0.5 - left, right - point.x - 0.5))
    down = max(3.0, min(point.y + 0.5 - top, bottom - point.y - 0.5))
    middle_x, middle_y = point.x + 0.5, point.y + 0.5
    sides = (middle_x - across, middle_y - down, middle_x + across, middle_y + down)
    return _whole(sides, viewport)


def clipped(box: Box, viewport: Viewport) -> tuple[float, float, float, float]:
    """The part of it that is in the viewport."""
    right, bottom = min(float(viewport.width), box.x + box.width), min(float(viewport.height), box.y + box.height)
    return max(0.0, box.x), max(0.0, box.y), right, bottom


def corners_of(box: Box, viewport: Viewport) -> Corners:
    """A box in the viewport in whole pixels."""
    return _whole(clipped(box, viewport), viewport)


def _whole(sides: tuple[float, float, float, float], viewport: Viewport) -> Corners:
    left, top, right, bottom = (round(side) for side in sides)
    return max(0, left), max(0, top), min(viewport.width, right), min(viewport.height, bottom)


def _holds(box: Box, point: Point) -> bool:
    return box.x <= point.x <= box.x + box.width and box.y <= point.y <= box.y + box.height


def _spaced(key: str) -> str:
    return " ".join(_JOINTS.sub(" ", key).split())


def _place_name(href: str) -> str:
    last = _spaced(href.rstrip("/").rpartition("/")[2]) if href else ""
    return last if letters(last) > 1 else ""

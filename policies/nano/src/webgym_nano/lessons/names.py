"""Short names for the elements of a page: their text, else what their URL or test id says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webgym.agent.dialects.nano import name_for
from webgym.records.action import Point
from webgym.records.observation import Box, Element, TextLine, Viewport

FIELDS = ("input", "select", "textarea")
TICKED = ("checkbox", "radio")
"""Types of checkable inputs."""
_BUTTONS = ("submit", "button", "reset", "image")
_INTERACTIVE = ("a", "button", "summary", *FIELDS)
_WORDS = re.compile(r"\w[\w.-]*\w|\w")
_JOINTS = re.compile(r"[-_/=?&:]+")
_STEP = 4
"""Pixels per cell of nano's coordinate grid."""
_PROFILE = "profile"
_SHORT = 14
"""Length below which a text may occur on many elements of a page, so that their subject is appended."""

Corners = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def is_interactive(element: Element) -> bool:
    return element.tag in _INTERACTIVE


def is_text_field(element: Element) -> bool:
    """Whether text can be typed into it."""
    return element.tag == "textarea" or (element.tag == "input" and element.type not in (*TICKED, *_BUTTONS))


def name_of(element: Element) -> str:
    """Return a name of at most 28 characters; empty if there is none."""
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


def name_among(element: Element, lines: Sequence[TextLine], instruction: str) -> str:
    """Like `name_of`; for a card or a row of several lines, the line that the task is about, else the largest."""
    inside = lines_in(element, lines)
    if _is_icon(element, lines) and element.text.islower() and element.text not in instruction.casefold():
        # An icon named after a user, whose name is not visible.
        return name_for(_spaced(element.key) or _PROFILE)
    if len(inside) < 2:
        return name_of(element)
    asked = set(_words(instruction))
    best = max(inside, key=lambda line: (_told(line.text, asked), line.box.height, letters(line.text)))
    return name_for(best.text)


def _is_icon(element: Element, lines: Sequence[TextLine]) -> bool:
    if not is_interactive(element) or element.tag in FIELDS:
        return False
    # A link may be a part of a line whose middle is elsewhere.
    return not any(line.shown and _overlap(element.box, line.box) for line in lines)


def lines_in(element: Element, lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the visible lines on an element."""
    return [line for line in lines if line.shown and _holds(element.box, _middle(line.box))]


def _told(text: str, asked: set[str]) -> int:
    """Count the letters of significant words that occur in the task."""
    return sum(len(word) for word in _words(text) if word in asked and (len(word) > 3 or not word.isalpha()))


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0 and down > 0


def _middle(box: Box) -> Point:
    return Point(round(box.x + box.width / 2), round(box.y + box.height / 2))


def letters(text: str) -> int:
    """Count the letters in a text."""
    return sum(character.isalpha() for character in text)


def element_at(elements: Sequence[Element], point: Point) -> Element | None:
    """Return the smallest reachable element around a point."""
    around = [one for one in elements if one.point is not None and _holds(one.box, point)]
    return min(around, key=lambda one: one.box.width * one.box.height, default=None)


def element_of(elements: Sequence[Element], box: Box | None, point: Point) -> Element | None:
    """Return the element that a decision aims at, by its box, else by its point."""
    exact = (one for one in elements if one.box == box and one.point == point)
    return next(exact, None) or element_at(elements, point)


def steady_point(element: Element, viewport: Viewport) -> Point:
    """Return a point on a reachable element that tolerates an error of a few pixels.

    If the middle cannot be reached, something covers part of the element, and the point is moved further away from it.
    """
    point = element.point or _middle(element.box)
    left, top, right, bottom = clipped(element.box, viewport)
    return Point(_away(point.x, left, right), _away(point.y, top, bottom))


def _away(place: int, start: float, end: float) -> int:
    off = place - (start + end) / 2
    if abs(off) <= _STEP or end - start <= 4 * _STEP:
        return place
    moved = place + _STEP if off > 0 else place - _STEP
    return int(max(start + _STEP, min(end - _STEP, moved)))


def aim_box(box: Box, point: Point, viewport: Viewport) -> Corners:
    """Return the largest part of a box within the viewport that is centred on the point."""
    left, top, right, bottom = clipped(box, viewport)
    across = max(3.0, min(point.x + 0.5 - left, right - point.x - 0.5))
    down = max(3.0, min(point.y + 0.5 - top, bottom - point.y - 0.5))
    middle_x, middle_y = point.x + 0.5, point.y + 0.5
    sides = (middle_x - across, middle_y - down, middle_x + across, middle_y + down)
    return _whole(sides, viewport)


def clipped(box: Box, viewport: Viewport) -> tuple[float, float, float, float]:
    """Return the part of the box within the viewport."""
    right, bottom = min(float(viewport.width), box.x + box.width), min(float(viewport.height), box.y + box.height)
    return max(0.0, box.x), max(0.0, box.y), right, bottom


def corners_of(box: Box, viewport: Viewport) -> Corners:
    """Return the part of a box within the viewport, in whole pixels."""
    return _whole(clipped(box, viewport), viewport)


def sides_of(box: Box | None) -> Corners | None:
    """Return the corners of a box that is already within the viewport."""
    if box is None:
        return None
    return round(box.x), round(box.y), round(box.x + box.width), round(box.y + box.height)


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

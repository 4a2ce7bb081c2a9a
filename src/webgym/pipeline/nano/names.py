"""What to call the elements of a page in a few words: what they show, else what their address or test id says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webgym.agent.dialects.nano import name_for
from webgym.records.action import Point
from webgym.records.observation import Box, Element, TextLine, Viewport

FIELDS = ("input", "select", "textarea")
TICKED = ("checkbox", "radio")
"""Types of inputs that are on or off."""
_BUTTONS = ("submit", "button", "reset", "image")
_INTERACTIVE = ("a", "button", "summary", *FIELDS)
_WORDS = re.compile(r"\w[\w.-]*\w|\w")
_JOINTS = re.compile(r"[-_/=?&:]+")
_STEP = 4
"""Pixels of a cell."""
_PROFILE = "profile"
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


def name_among(element: Element, lines: Sequence[TextLine], instruction: str) -> str:
    """The same; of a card or a row of several lines, the line that the task is about, or else the largest."""
    inside = lines_in(element, lines)
    if _is_icon(element, inside) and element.text.islower() and element.text not in instruction.casefold():
        # An icon that goes by somebody's user name, which nobody can see.
        return name_for(_spaced(element.key) or _PROFILE)
    if len(inside) < 2:
        return name_of(element)
    asked = set(_words(instruction))
    best = max(inside, key=lambda line: (_told(line.text, asked), line.box.height, letters(line.text)))
    return name_for(best.text)


def _is_icon(element: Element, inside: Sequence[TextLine]) -> bool:
    return not inside and is_interactive(element) and element.tag not in FIELDS


def lines_in(element: Element, lines: Sequence[TextLine]) -> list[TextLine]:
    """What can be read on an element."""
    return [line for line in lines if line.shown and _holds(element.box, _middle(line.box))]


def _told(text: str, asked: set[str]) -> int:
    """Letters of the words that the task has too, if they say anything."""
    return sum(len(word) for word in _words(text) if word in asked and (len(word) > 3 or not word.isalpha()))


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _middle(box: Box) -> Point:
    return Point(round(box.x + box.width / 2), round(box.y + box.height / 2))


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


def steady_point(element: Element, viewport: Viewport) -> Point:
    """Where to aim at an element within reach, a few pixels off not mattering.

    If its middle cannot be reached, something covers part of it: the point is then moved further away from there.
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


def sides_of(box: Box | None) -> Corners | None:
    """Of a box that is in the viewport already, as lessons keep it."""
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

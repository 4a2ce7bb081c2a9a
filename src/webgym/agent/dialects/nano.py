"""The dialect that nano is trained on: the name of what to act on, then a one-letter verb and its arguments.

Search>s<056><007>wool hats
Add to basket>c<093><061>
>a<040><033>12.50

A place is the column and row of a square cell, one token each, with 112 cells along the longer side of the image. An
answer may begin with the place it was read from: locating it first improves reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from webgym.agent.dialects.arguments import Complaint, shown
from webgym.agent.dialects.dialect import Convention, Inexpressible
from webgym.agent.dialects.places import point_of
from webgym.agent.dialects.replies import is_open
from webgym.agent.dialects.vocabulary import default_distance
from webgym.agent.untrusted import one_line, storable, without_tokens
from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Back,
    Click,
    Navigate,
    Point,
    Press,
    Scroll,
    Select,
    Target,
    TypeText,
    Wait,
)
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Box, Observation, Viewport
from webgym.records.prompt import Completion
from webgym.records.session import Look

CELLS = 112
"""Cells along the longer side of the image."""
MOST_NAME = 28
"""Maximum characters of the name of what to act on."""
MOST_REMEMBERED = 20
"""Maximum characters of a text that later prompts show."""
WAIT_SECONDS = 0.5
_BOX_SCREENS = 0.4
"""Scroll distance of a part of the page, in viewport heights: its lists are only a few lines high."""
_PLACE = re.compile(r"<(\d{3})><(\d{3})>")
_SEPARATOR = ">"
_BRACKETS = re.compile("[<>]")
"""Removed from names: half a place at the end of a name would be completed by the separator."""
_FORM = "write it as NAME>c<056><007>"
_WHOLE = (Click, Scroll, Back, Navigate, Wait)
"""Actions that are complete with their last token. Others end in a text, which may have been cut off."""


def scroll_distance(viewport: Viewport, *, page: bool) -> int:
    """Return the distance of one scroll in pixels: of the page, or of a part of it."""
    return default_distance("down", viewport) if page else round(_BOX_SCREENS * viewport.height)


def name_for(text: str) -> str:
    """Return text as the name of what to act on: on one line, shortened, without separators."""
    return one_line(_BRACKETS.sub(" ", text), 8 * MOST_NAME)[:MOST_NAME].strip()


def cell_of(point: Point, viewport: Viewport) -> tuple[int, int]:
    """Return column and row of the cell that contains a point."""
    side = max(viewport.width, viewport.height)
    return _clamped(point.x * CELLS // side, viewport.width, side), _clamped(
        point.y * CELLS // side, viewport.height, side
    )


def write_place(point: Point, viewport: Viewport) -> str:
    """Return the two tokens of a place."""
    column, row = cell_of(point, viewport)
    return f"<{column:03d}><{row:03d}>"


def _clamped(cell: int, pixels: int, side: int) -> int:
    return max(0, min(cell, (pixels - 1) * CELLS // side))


def _middle(column: int, row: int, viewport: Viewport) -> Point:
    """Return the centre of a cell, clamped to the image."""
    side = max(viewport.width, viewport.height)
    cells = (_clamped(column, viewport.width, side), _clamped(row, viewport.height, side))
    x, y = ((2 * cell + 1) * side // (2 * CELLS) for cell in cells)
    return Point(min(x, viewport.width - 1), min(y, viewport.height - 1))


@dataclass(frozen=True, slots=True)
class _VerbLine:
    """A verb and the text after it."""

    verb: str
    rest: str
    seen: Observation

    def place(self) -> tuple[Point, str]:
        """Return the place, and the text after it."""
        found = _PLACE.match(self.rest)
        if found is None:
            raise Complaint("bad_argument", f"{self.verb} needs a place; {_FORM}, not {shown(self.rest)}")
        return _middle(int(found[1]), int(found[2]), self.seen.viewport), self.rest[found.end() :]

    def only_place(self) -> Point:
        point, rest = self.place()
        self._nothing(rest)
        return point

    def text(self) -> str:
        if not self.rest:
            raise Complaint("bad_argument", f"{self.verb} needs a text; write it as >{self.verb}text")
        return self.rest

    def end(self) -> None:
        self._nothing(self.rest)

    def _nothing(self, rest: str) -> None:
        if rest:
            raise Complaint("bad_argument", f"{shown(rest)} after {self.verb} is too much")


def _typed(said: _VerbLine) -> Action:
    point, text = said.place()
    return TypeText(text, point, submit=said.verb == "s")


def _selected(said: _VerbLine) -> Action:
    point, option = said.place()
    if not option:
        raise Complaint("bad_argument", "o needs the option; write it as NAME>o<056><007>option")
    return Select(point, (option,))


def _page(said: _VerbLine) -> Action:
    said.end()
    distance = scroll_distance(said.seen.viewport, page=True)
    return Scroll(dy=distance if said.verb == "d" else -distance)


def _part(said: _VerbLine) -> Action:
    distance = scroll_distance(said.seen.viewport, page=False)
    return Scroll(dy=distance if said.verb == "D" else -distance, target=said.only_place())


def _answered(said: _VerbLine) -> Action:
    place = _PLACE.match(said.rest)
    return Answer(said.rest[place.end() :] if place else said.rest)


def _bare(action: Action) -> Callable[[_VerbLine], Action]:
    def read(said: _VerbLine) -> Action:
        said.end()
        return action

    return read


def _home(said: _VerbLine) -> Action:
    said.end()
    home = home_of(said.seen)
    if not home:
        raise Complaint("bad_argument", "h has nowhere to go: the page is not one of a website")
    return Navigate(home)


def home_of(seen: Observation) -> str:
    """Return the home page of the current website; empty if the page is not on one."""
    parts = urlsplit(seen.url)
    return f"{parts.scheme}://{parts.netloc}/" if parts.scheme in ("http", "https") and parts.netloc else ""


VERBS: Mapping[str, tuple[str, Callable[[_VerbLine], Action]]] = {
    "c": ("click", lambda said: Click(said.only_place())),
    "t": ("type", _typed),
    "s": ("submit", _typed),
    "o": ("select", _selected),
    "d": ("scroll", _page),
    "u": ("scroll", _page),
    "D": ("scroll_part", _part),
    "U": ("scroll_part", _part),
    "b": ("back", _bare(Back())),
    "h": ("home", _home),
    "w": ("wait", _bare(Wait(WAIT_SECONDS))),
    "x": ("dismiss", _bare(AnswerDialog(accept=False))),
    "y": ("accept", lambda said: AnswerDialog(accept=True, text=said.rest)),
    "k": ("press", lambda said: Press(tuple(said.text().split(" ")))),
    "a": ("answer", _answered),
}
"""The meaning and the reader of each letter."""


def verb_of(reply: str) -> str:
    """Return the meaning of a reply's verb; empty if it has none."""
    rest = reply.partition(_SEPARATOR)[2]
    return VERBS[rest[0]][0] if rest and rest[0] in VERBS else ""


@dataclass(frozen=True, slots=True)
class Nano:
    """One line: a name, `>`, a letter, its arguments. The name becomes the decision's sentence."""

    name: str = "nano"
    coordinates: Convention = "cells"

    @property
    def look(self) -> Look:
        return Look()

    def system(self, version: str, viewport: Viewport) -> str:  # noqa: ARG002 - nano was trained without one
        return ""

    def tools(self, version: str) -> tuple[str, ...]:  # noqa: ARG002 - none in any version
        return ()

    def parse(self, completion: Completion, seen: Observation) -> Decision | MalformedReply:
        lines = [line for line in storable(completion.text).split("\n") if line.strip()]
        try:
            name, action = _read(_only(lines), seen)
            _check_end(action, completion)
        except Complaint as complaint:
            return MalformedReply(complaint.problem, complaint.message, completion.reasoning)
        return Decision(action, sentence=name_for(name), thought=completion.reasoning, call=lines[0])

    def call(self, action: Action, seen: Observation) -> str:
        return f"{_SEPARATOR}{_written(action, seen)}"

    def say(self, decision: Decision, seen: Observation) -> str:
        match decision:
            case Decision(Answer(text), Box() as box):
                call = f"{_SEPARATOR}a{_place(_centre(box), seen)}{_text(text)}"
            case _:
                call = self.call(decision.action, seen)
        return f"{name_for(decision.sentence)}{call}"

    def remember(self, decision: Decision, seen: Observation) -> str:
        """Return a decision as a line for later prompts, in which no text can pass for a place."""
        return _kept(decision.call or self.say(decision, seen), MOST_REMEMBERED)

    def keep(self, completion: Completion) -> str:
        return _kept(completion.text.strip(), None)


def _kept(reply: str, most: int | None) -> str:
    """Return a reply with its text cut to `most` characters, and without place tokens in the text."""
    name, separator, rest = reply.partition(_SEPARATOR)
    if rest[:1] not in VERBS:
        return without_tokens(reply)
    place = _PLACE.match(rest, 1)
    start = place.end() if place else 1
    text = rest[start:] if most is None else rest[start : start + most]
    return f"{name_for(name)}{separator}{rest[:start]}{without_tokens(text)}"


def _only(lines: list[str]) -> str:
    match lines:
        case [line]:
            return line
        case []:
            raise Complaint("empty", f"it holds no action; {_FORM}")
        case _:
            raise Complaint("several_calls", f"it holds {len(lines)} lines; write one")


def _read(line: str, seen: Observation) -> tuple[str, Action]:
    name, separator, rest = line.partition(_SEPARATOR)
    if not separator or not rest:
        raise Complaint("no_call", f"it holds no verb; {_FORM}")
    verb = rest[0]
    if verb not in VERBS:
        raise Complaint("unknown_action", f"there is no verb {shown(verb)}; there are {' '.join(VERBS)}")
    return name, VERBS[verb][1](_VerbLine(verb, rest[1:], seen))


def _check_end(action: Action, completion: Completion) -> None:
    if is_open(completion) and not isinstance(action, _WHOLE):
        raise Complaint("cut_off", "it was cut off before the end of its text")


def _written(action: Action, seen: Observation) -> str:
    match action:
        case Click(target, "left", 1, ()):
            return f"c{_place(target, seen)}"
        case TypeText(text, target, "replace", submit) if target is not None:
            return f"{'s' if submit else 't'}{_place(target, seen)}{_text(text)}"
        case Select(target, (option,)) if option:
            return f"o{_place(target, seen)}{_text(option)}"
        case Scroll():
            return _scrolled(action, seen)
        case Answer(text):
            return f"a{_text(text)}"
        case _:
            return _elsewhere(action, seen)


def _scrolled(action: Scroll, seen: Observation) -> str:
    page = action.target is None
    if action.dx or abs(action.dy) != scroll_distance(seen.viewport, page=page):
        raise Inexpressible("there are no words for a scroll of another distance, or sideways")
    if action.target is None:
        return "d" if action.dy > 0 else "u"
    return f"{'D' if action.dy > 0 else 'U'}{_place(action.target, seen)}"


def _elsewhere(action: Action, seen: Observation) -> str:
    match action:
        case Back():
            return "b"
        case Navigate(url) if url and url == home_of(seen):
            return "h"
        case Wait(time) if time == WAIT_SECONDS:
            return "w"
        case AnswerDialog(accept=True, text=text):
            return f"y{_text(text)}"
        case AnswerDialog(accept=False, text=""):
            return "x"
        case Press(keys) if keys and all(key and " " not in key for key in keys):
            return f"k{_text(' '.join(keys))}"
        case _:
            raise Inexpressible(f"there are no words for {action}")


def _centre(box: Box) -> Point:
    return Point(int(box.x + box.width / 2), int(box.y + box.height / 2))


def _place(target: Target, seen: Observation) -> str:
    point = point_of(target, seen)
    if not (0 <= point.x < seen.viewport.width and 0 <= point.y < seen.viewport.height):
        raise Inexpressible(f"({point.x}, {point.y}) is not in the picture")
    return write_place(point, seen.viewport)


def _text(text: str) -> str:
    """Return a text unchanged; raises `Inexpressible` if it has line breaks or special tokens."""
    if "\n" in text or without_tokens(text) != text:
        raise Inexpressible("a text stands on one line and has no tokens in it")
    return text


NANO = Nano()

"""Agents that follow a script: solvers for tasks whose way is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Click,
    Navigate,
    Point,
    Press,
    Scroll,
    Select,
    TypeText,
    Wait,
)
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Element, Observation
from webgym.records.session import Look

Wanted = str | Callable[[Element], bool]
"""An element by its test id, its text, the start of its text, or what a function says; tried in this order."""


@dataclass(frozen=True, slots=True)
class Go:
    """Open a page."""

    url: str


@dataclass(frozen=True, slots=True)
class Tap:
    """Click an element."""

    wanted: Wanted
    count: int = 1
    """2: a double click."""
    nth: int = 0
    """Which one, of several."""


@dataclass(frozen=True, slots=True)
class Write:
    """Replace the text of a field."""

    wanted: Wanted
    text: str
    submit: bool = False
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose an option of a select."""

    wanted: Wanted
    option: str
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Keys:
    """Press keys together."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Do:
    """Perform any action, perhaps one that depends on the page."""

    action: Action | Callable[[Observation], Action]


@dataclass(frozen=True, slots=True)
class Say:
    """Answer, which ends the attempt."""

    text: str = "Done."


Move = Go | Tap | Write | Choose | Keys | Do | Say


class Script:
    """An `Agent` that makes these moves in order, each once its element is there, and answers "Done." at the end."""

    look = Look(elements=True)

    def __init__(self, moves: Sequence[Move], patience: int = 20) -> None:
        self._moves = [*moves, Say()]
        self._patience = patience
        """How often it looks again for an element of one move, or scrolls to it. It waits longer and longer."""
        self._waited = 0

    async def decide(self, capture: Capture) -> Turn:
        """Return the next action."""
        seen = capture.observation
        if seen.dialog is not None:
            return _turn(AnswerDialog(accept=True))
        action = _made(self._moves[0], seen)
        if action is not None:
            self._moves.pop(0)
            self._waited = 0
            return _turn(action)
        if self._waited >= self._patience:
            return _turn(Answer(f"gave up at {self._moves[0]}"))
        self._waited += 1
        return _turn(_towards(self._moves[0], seen, min(0.4 * 1.25**self._waited, 10.0)))


def _turn(action: Action) -> Turn:
    return Turn(Decision(action))


def _made(move: Move, seen: Observation) -> Action | None:
    """Return the action of a move, or None while its element cannot be clicked."""
    match move:
        case Go(url=url):
            return Navigate(url)
        case Keys(keys=keys):
            return Press(keys)
        case Say(text=text):
            return Answer(text)
        case Do(action=action):
            return action(seen) if callable(action) else action
        case Tap() | Write() | Choose():
            element = _found(move, seen)
            return _used(move, element.point) if element and element.point else None


def _used(move: Tap | Write | Choose, point: Point) -> Action:
    match move:
        case Tap(count=count):
            return Click(point, count=count)
        case Write(text=text, submit=submit):
            return TypeText(text, target=point, submit=submit)
        case Choose(option=option):
            return Select(point, (option,))


def _found(move: Tap | Write | Choose, seen: Observation) -> Element | None:
    shown = [one for one in seen.elements or () if one.shown]
    wanted = move.wanted
    if not isinstance(wanted, str):
        found = [one for one in shown if wanted(one)]
    else:
        found = (
            [one for one in shown if one.key == wanted]
            or [one for one in shown if one.text == wanted]
            or [one for one in shown if one.text.startswith(wanted)]
        )
    return found[move.nth] if move.nth < len(found) else None


def _towards(move: Move, seen: Observation, pause: float) -> Action:
    """Return what may bring the element of a move into reach: scrolling, or time."""
    element = _found(move, seen) if isinstance(move, Tap | Write | Choose) else None
    if element is None:
        return Wait(pause)
    box, frame = element.box, element.scroller
    middle = frame.y + frame.height / 2 if frame else seen.viewport.height / 2
    far = int(box.y + box.height / 2 - middle)
    if abs(far) < 20:  # in the middle and still covered: something in front of it is about to go
        return Wait(pause)
    return Scroll(dy=far, target=Point(int(frame.x + frame.width / 2), int(middle)) if frame else None)

"""Converts actions to elements of the action space and back.

| kind | fields | action |
|---|---|---|
| click, double_click, right_click, hover | point | mouse action at the point |
| drag | point, delta | drag from the point by delta |
| type | point, text, append, submit | type into the element at the point |
| type_here | text, append, submit | type into the focused element |
| press | text | press a key or chord: `Control+a` |
| scroll | point, delta | scroll what is under the point by delta |
| back, forward, reload, close_tab | | |
| navigate | text | load a URL |
| select | point, text | select options of a list, one per line |
| accept, dismiss | text | answer the open dialog |
| wait | seconds | |
| answer | text | end the episode |
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from gymnasium import spaces

from webgym.errors import RequestError
from webgym.interop.gym import spaces as layout
from webgym.records import action as actions
from webgym.records.action import Action, Point, TypeText
from webgym.records.observation import Viewport


@dataclass(frozen=True, slots=True)
class _Fields:
    point: Point = Point(0, 0)
    delta: Point = Point(0, 0)
    text: str = ""
    submit: bool = False
    append: bool = False
    seconds: float = 0.0

    @property
    def end(self) -> Point:
        return Point(self.point.x + self.delta.x, self.point.y + self.delta.y)

    @property
    def mode(self) -> Literal["replace", "append"]:
        return "append" if self.append else "replace"


_MAKE: dict[str, Callable[[_Fields], Action]] = {
    "click": lambda of: actions.Click(of.point),
    "double_click": lambda of: actions.Click(of.point, count=2),
    "right_click": lambda of: actions.Click(of.point, button="right"),
    "hover": lambda of: actions.Hover(of.point),
    "drag": lambda of: actions.Drag(of.point, of.end),
    "type": lambda of: TypeText(of.text, of.point, mode=of.mode, submit=of.submit),
    "type_here": lambda of: TypeText(of.text, mode=of.mode, submit=of.submit),
    "press": lambda of: actions.Press(_keys(of.text)),
    "scroll": lambda of: actions.Scroll(of.delta.x, of.delta.y, of.point),
    "back": lambda _of: actions.Back(),
    "forward": lambda _of: actions.Forward(),
    "reload": lambda _of: actions.Reload(),
    "close_tab": lambda _of: actions.CloseTab(),
    "navigate": lambda of: actions.Navigate(of.text),
    "select": lambda of: actions.Select(of.point, tuple(of.text.split("\n"))),
    "accept": lambda of: actions.AnswerDialog(accept=True, text=of.text),
    "dismiss": lambda of: actions.AnswerDialog(accept=False, text=of.text),
    "wait": lambda of: actions.Wait(of.seconds),
    "answer": lambda of: actions.Answer(of.text),
}
KINDS = tuple(_MAKE)
"""Names of the kinds, indexed by the `kind` field of the action space."""
_RECORDS = typing.get_args(Action)


def action_space(viewport: Viewport) -> spaces.Dict:
    """Return the space of all encodable actions."""
    return layout.action_space(viewport, len(KINDS))


def decode_action(action: Mapping[str, Any] | Action) -> Action:
    """Decode an element of the action space. An `Action` record is returned unchanged.

    Missing fields take their defaults.

    Raises:
        RequestError: It is neither.
    """
    if not isinstance(action, Mapping):
        return _record(action)
    try:
        of = _fields(action)
        kind = KINDS[_natural(action["kind"])]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RequestError(f"invalid action: {error!r}; `kind` must be 0 to {len(KINDS) - 1}") from error
    return _MAKE[kind](of)


def encode_action(action: Action, viewport: Viewport = Viewport()) -> dict[str, Any]:
    """Encode an action as an element of the action space.

    Raises:
        RequestError: The action uses a mark, modifiers, a tab number or a file. Pass it to `step` as a record instead.
    """
    if isinstance(action, actions.Scroll) and action.target is None:
        middle = Point(viewport.width // 2, viewport.height // 2)
        action = actions.Scroll(action.dx, action.dy, middle)
    found = _pointing(action) or _writing(action) or _other(action)
    if found is not None:
        encoded = _element(*found)
        if encoded in _space(viewport) and decode_action(encoded) == action:
            return encoded
    raise RequestError(f"{action} cannot be encoded in the action space of {viewport}; pass it to `step` directly")


def _record(action: Any) -> Action:
    if not isinstance(action, _RECORDS):
        raise RequestError(f"invalid action: {action!r}")
    return cast("Action", action)


@functools.cache
def _space(viewport: Viewport) -> spaces.Dict:
    return action_space(viewport)


def _pointing(action: Action) -> tuple[str, _Fields] | None:
    match action:
        case actions.Click(target=Point() as point, button=button, count=count):
            kind = "right_click" if button == "right" else "double_click" if count == 2 else "click"
            return kind, _Fields(point)
        case actions.Hover(target=Point() as point):
            return "hover", _Fields(point)
        case actions.Drag(start=Point() as start, end=Point() as end):
            return "drag", _Fields(start, Point(end.x - start.x, end.y - start.y))
        case actions.Scroll(dx=dx, dy=dy, target=Point() as point):
            return "scroll", _Fields(point, Point(dx, dy))
        case actions.Select(target=Point() as point, options=options):
            return "select", _Fields(point, text="\n".join(options))
        case _:
            return None


def _writing(action: Action) -> tuple[str, _Fields] | None:
    match action:
        case TypeText(text=text, target=Point() as point, mode=mode, submit=submit):
            return "type", _Fields(point, text=text, submit=submit, append=mode == "append")
        case TypeText(text=text, target=None, mode=mode, submit=submit):
            return "type_here", _Fields(text=text, submit=submit, append=mode == "append")
        case actions.Press(keys=keys):
            return "press", _Fields(text="+".join(keys))
        case actions.Navigate(url=url):
            return "navigate", _Fields(text=url)
        case actions.AnswerDialog(accept=accept, text=text):
            return "accept" if accept else "dismiss", _Fields(text=text)
        case actions.Answer(text=text):
            return "answer", _Fields(text=text)
        case _:
            return None


def _other(action: Action) -> tuple[str, _Fields] | None:
    match action:
        case actions.Back() | actions.Forward() | actions.Reload() | actions.CloseTab():
            return str(action.__struct_config__.tag), _Fields()
        case actions.Wait(seconds=seconds):
            return "wait", _Fields(seconds=seconds)
        case _:
            return None


def _element(kind: str, of: _Fields) -> dict[str, Any]:
    return {
        "kind": np.int64(KINDS.index(kind)),
        "point": np.array([of.point.x, of.point.y], dtype=np.int64),
        "delta": np.array([of.delta.x, of.delta.y], dtype=np.int64),
        "text": of.text,
        "submit": np.int64(of.submit),
        "append": np.int64(of.append),
        "seconds": np.array(of.seconds, dtype=np.float64),
    }


def _fields(action: Mapping[str, Any]) -> _Fields:
    return _Fields(
        point=_point(action.get("point", (0, 0))),
        delta=_point(action.get("delta", (0, 0))),
        text=str(action.get("text", "")),
        submit=bool(action.get("submit", False)),
        append=bool(action.get("append", False)),
        seconds=float(action.get("seconds", 0.0)),
    )


def _point(pair: Any) -> Point:
    x, y = pair
    return Point(int(x), int(y))


def _natural(number: Any) -> int:
    if int(number) < 0:
        raise ValueError(f"kind {number}")
    return int(number)


def _keys(text: str) -> tuple[str, ...]:
    """Split a chord: `Control+a` into `Control` and `a`. A trailing plus is the plus key."""
    if text.endswith("+"):
        return (*filter(None, text[:-1].split("+")), "+")
    return tuple(text.split("+"))

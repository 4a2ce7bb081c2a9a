"""OpenAI's computer-use actions as a function tool, in pixels of the screenshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from webgym.agent.dialects import browser_tool
from webgym.agent.dialects.arguments import Arguments, finite, listed
from webgym.agent.dialects.browsing import Fields
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.keys import letters_lowered, modifiers_named
from webgym.agent.dialects.places import Coordinates, point_of
from webgym.agent.dialects.spaces import half_up, pixels, to_point
from webgym.agent.dialects.tool_dialect import ToolDialect
from webgym.agent.dialects.vocabulary import Reader, Written, seconds
from webgym.records.action import (
    Action,
    Back,
    Click,
    Drag,
    Forward,
    Hover,
    Modifier,
    Point,
    Press,
    Scroll,
    Target,
    TypeText,
    Wait,
)
from webgym.records.observation import Observation

_BUTTONS: dict[str, Literal["left", "right", "middle"]] = {"left": "left", "right": "right", "wheel": "middle"}
_MOST_SCROLL = 1_000_000


@dataclass(frozen=True, slots=True)
class OpenAIActions:
    """The tools `computer`, for mouse and keyboard, and `browser`, for the rest."""

    tools: tuple[str, ...] = ("computer", browser_tool.NAME)
    schemas: tuple[str, ...] = ("openai-computer", "browser")
    places: Coordinates = browser_tool.PLACES

    def action_key(self, tool: str) -> str:
        return "type" if tool == "computer" else "action"

    def readers(self, tool: str) -> Mapping[str, Reader]:
        return _READERS if tool == "computer" else browser_tool.READERS

    def write(self, action: Action, seen: Observation) -> Written:
        match action:
            case Click() | Hover() | Drag():
                return "computer", _pointing(action, seen)
            case Scroll(dx, dy, target):
                return "computer", {"type": "scroll", **_xy(target, seen), "scroll_x": dx, "scroll_y": dy}
            case TypeText(text, None, "append", False):
                return "computer", {"type": "type", "text": text}
            case Press(keys):
                return "computer", {"type": "keypress", "keys": list(keys)}
            case Wait(time):
                return "computer", {"type": "wait", "seconds": seconds(time)}
            case _:
                return browser_tool.write(action, seen)


def _point(given: Arguments, x: object, y: object) -> Point:
    numbers = finite(x), finite(y)
    if numbers[0] is None or numbers[1] is None:
        width, height = given.seen.viewport.width, given.seen.viewport.height
        raise given.bad(f'needs "x" from 0 to {width} and "y" from 0 to {height}, in pixels')
    return to_point(numbers[0], numbers[1], pixels(given.seen.viewport), given.seen.viewport)


def _place(given: Arguments) -> Point:
    return _point(given, given.values.get("x"), given.values.get("y"))


def _held(given: Arguments) -> tuple[Modifier, ...]:
    return modifiers_named(given, given.texts("keys")) if given.values.get("keys") else ()


def _click(given: Arguments) -> Action:
    match given.choice("button", (*_BUTTONS, "back", "forward"), "left"):
        case "back":
            return Back()
        case "forward":
            return Forward()
        case button:
            return Click(_place(given), _BUTTONS[button], 1, _held(given))


def _drag(given: Arguments) -> Action:
    path = listed(given.values.get("path"))
    if len(path) < 2:
        raise given.bad('needs "path": [{"x": ..., "y": ...}, {"x": ..., "y": ...}]')
    return Drag(_path_point(given, path[0]), _path_point(given, path[-1]))


def _path_point(given: Arguments, item: object) -> Point:
    if isinstance(item, dict):
        corner = cast("dict[str, object]", item)
        return _point(given, corner.get("x"), corner.get("y"))
    x, y = numbers if len(numbers := listed(item)) == 2 else (None, None)
    return _point(given, x, y)


def _scroll(given: Arguments) -> Action:
    across, down = (given.number(key, 0.0) for key in ("scroll_x", "scroll_y"))
    if not (across or down) or max(abs(across), abs(down)) > _MOST_SCROLL:
        raise given.bad('needs "scroll_x" or "scroll_y": pixels to scroll by')
    somewhere = given.has("x") or given.has("y")
    return Scroll(half_up(across), half_up(down), _place(given) if somewhere else None)


_READERS: Mapping[str, Reader] = {
    "click": _click,
    "double_click": lambda given: Click(_place(given), "left", 2, _held(given)),
    "drag": _drag,
    "keypress": lambda given: Press(letters_lowered(given.texts("keys"))),
    "move": lambda given: Hover(_place(given)),
    "scroll": _scroll,
    "type": lambda given: TypeText(given.text("text"), None, "append"),
    "wait": lambda given: Wait(given.number("seconds", 1.0)),
    "screenshot": browser_tool.no_need,
}


def _xy(target: Target | None, seen: Observation) -> Fields:
    if target is None:
        return {}
    point = point_of(target, seen)
    return {"x": point.x, "y": point.y}


def _pointing(action: Click | Hover | Drag, seen: Observation) -> Fields:
    match action:
        case Click(target, "left", 2, modifiers):
            return {"type": "double_click", **_xy(target, seen), **_keys(modifiers)}
        case Click(target, button, 1, modifiers):
            named = next(name for name, meant in _BUTTONS.items() if meant == button)
            return {"type": "click", **_xy(target, seen), "button": named, **_keys(modifiers)}
        case Click(_, button, count):
            raise Inexpressible(f"there is no click with {button} button, count {count}")
        case Hover(target):
            return {"type": "move", **_xy(target, seen)}
        case Drag(start, end):
            return {"type": "drag", "path": [_xy(start, seen), _xy(end, seen)]}


def _keys(modifiers: tuple[Modifier, ...]) -> Fields:
    return {"keys": list(modifiers)} if modifiers else {}


OPENAI_COMPUTER = ToolDialect("openai-computer", OpenAIActions(), "pixels", beside=True)

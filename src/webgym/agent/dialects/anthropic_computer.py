"""Anthropic's computer-use actions as a function tool, in pixels of the screenshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from webgym.agent.dialects import browser_tool
from webgym.agent.dialects.arguments import Arguments
from webgym.agent.dialects.browsing import Fields
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.keys import chord, modifiers_named, spell_chord
from webgym.agent.dialects.places import Coordinates
from webgym.agent.dialects.spaces import half_up
from webgym.agent.dialects.tool_dialect import ToolDialect
from webgym.agent.dialects.vocabulary import DIRECTIONS, Reader, Written, direction_of, scroll_by, seconds
from webgym.records.action import Action, Click, Drag, Hover, Press, Scroll, TypeText, Wait
from webgym.records.observation import Observation

PIXELS_PER_CLICK = 100
"""Pixels scrolled per click of the mouse wheel."""
_MOST_CLICKS = 10_000
_PLACES = browser_tool.PLACES
_CLICKS: dict[str, tuple[Literal["left", "right", "middle"], int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}


@dataclass(frozen=True, slots=True)
class AnthropicActions:
    """The tools `computer`, for mouse and keyboard, and `browser`, for the rest."""

    tools: tuple[str, ...] = ("computer", browser_tool.NAME)
    schemas: tuple[str, ...] = ("anthropic-computer", "browser")
    places: Coordinates = _PLACES

    def action_key(self, tool: str) -> str:  # noqa: ARG002 - the same for both
        return "action"

    def readers(self, tool: str) -> Mapping[str, Reader]:
        return _READERS if tool == "computer" else browser_tool.READERS

    def write(self, action: Action, seen: Observation) -> Written:
        match action:
            case Click() | Hover() | Drag():
                return "computer", _pointing(action, seen)
            case Scroll():
                return "computer", _scrolling(action, seen)
            case TypeText(text, None, "append", False):
                return "computer", {"action": "type", "text": text}
            case Press(keys):
                return "computer", {"action": "key", "text": spell_chord(keys)}
            case Wait(time):
                return "computer", {"action": "wait", "duration": seconds(time)}
            case _:
                return browser_tool.write(action, seen)


def _click(given: Arguments) -> Action:
    button, count = _CLICKS[given.action]
    held = modifiers_named(given, chord(given.text("text"))) if given.values.get("text") else ()
    return Click(_PLACES.needed(given), button, count, held)


def _key(given: Arguments) -> Action:
    keys = chord(given.text("text"))
    if not keys:
        raise given.bad('needs "text": the keys to press together, such as Return or ctrl+a')
    return Press(keys)


def _scroll(given: Arguments) -> Action:
    direction = given.choice("scroll_direction", tuple(DIRECTIONS))
    clicks = given.number("scroll_amount", 5.0)
    if not 0 < clicks <= _MOST_CLICKS:
        raise given.bad('needs "scroll_amount": clicks of the wheel, more than 0')
    return scroll_by(direction, max(1, half_up(clicks * PIXELS_PER_CLICK)), _PLACES.given(given))


_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(_CLICKS, _click),
    "mouse_move": lambda given: Hover(_PLACES.needed(given)),
    "left_click_drag": lambda given: Drag(_PLACES.needed(given, "start_"), _PLACES.needed(given)),
    "type": lambda given: TypeText(given.text("text"), None, "append"),
    "key": _key,
    "scroll": _scroll,
    "wait": lambda given: Wait(given.number("duration", 1.0)),
    "screenshot": browser_tool.no_need,
    "cursor_position": browser_tool.no_need,
    "zoom": browser_tool.no_need,
}


def _pointing(action: Click | Hover | Drag, seen: Observation) -> Fields:
    match action:
        case Click(target, button, count, modifiers):
            name = next((name for name, click in _CLICKS.items() if click == (button, count)), None)
            if name is None:
                raise Inexpressible(f"there is no click with {button} button, count {count}")
            held = {"text": spell_chord(modifiers)} if modifiers else {}
            return {"action": name, **_PLACES.written(target, seen), **held}
        case Hover(target):
            return {"action": "mouse_move", **_PLACES.written(target, seen)}
        case Drag(start, end):
            ends = _PLACES.written(start, seen, "start_") | _PLACES.written(end, seen)
            return {"action": "left_click_drag", **ends}


def _scrolling(action: Scroll, seen: Observation) -> Fields:
    towards = direction_of(action)
    if towards is None or not towards[1]:
        raise Inexpressible("a scroll goes in one direction")
    direction, distance = towards
    where = _PLACES.written(action.target, seen)
    clicks = max(1, half_up(distance / PIXELS_PER_CLICK))
    return {"action": "scroll", **where, "scroll_direction": direction, "scroll_amount": clicks}


ANTHROPIC_COMPUTER = ToolDialect("anthropic-computer", AnthropicActions(), "pixels", beside=True)

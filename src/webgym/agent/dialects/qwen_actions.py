"""The single tool of Qwen models: `computer_use`, or `web_interaction` with marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from webgym.agent.dialects.arguments import Arguments
from webgym.agent.dialects.browsing import TABS, Fields, answer_dialog, truths, written_elsewhere
from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.places import Places
from webgym.agent.dialects.spaces import half_up
from webgym.agent.dialects.vocabulary import (
    DIRECTIONS,
    Reader,
    Written,
    default_distance,
    direction_of,
    extent,
    scroll_by,
    seconds,
)
from webgym.records.action import (
    Action,
    Answer,
    Back,
    Click,
    Drag,
    Forward,
    Hover,
    Press,
    Reload,
    Scroll,
    Select,
    TypeText,
    Wait,
)
from webgym.records.observation import Observation

Button = Literal["left", "right", "middle"]
_MOST_SCROLL = 1_000_000
"""Pixels."""


@dataclass(frozen=True, slots=True)
class QwenActions:
    """A vocabulary with all actions in one tool."""

    tool: str
    schema: str
    places: Places
    clicks: Mapping[str, tuple[Button, int]]
    """Mouse button and click count, by action name."""
    hover: str
    drag: str

    @property
    def tools(self) -> tuple[str, ...]:
        return (self.tool,)

    @property
    def schemas(self) -> tuple[str, ...]:
        return (self.schema,)

    def action_key(self, tool: str) -> str:  # noqa: ARG002 - one tool, one key
        return "action"

    def readers(self, tool: str) -> Mapping[str, Reader]:  # noqa: ARG002 - one tool
        return {
            **dict.fromkeys(self.clicks, self._click),
            self.hover: lambda given: Hover(self.places.needed(given)),
            self.drag: lambda given: Drag(self.places.needed(given, "start_"), self.places.needed(given)),
            "type": self._type,
            "key": lambda given: Press(given.texts("keys")),
            "scroll": self._scroll,
            "select_option": lambda given: Select(self.places.needed(given), given.texts("options")),
            "go_back": lambda _: Back(),
            "go_forward": lambda _: Forward(),
            "reload": lambda _: Reload(),
            **TABS,
            "answer_dialog": answer_dialog,
            "wait": lambda given: Wait(given.number("time", 1.0)),
            "answer": lambda given: Answer(given.text("text")),
        }

    def write(self, action: Action, seen: Observation) -> Written:
        name, fields = self._written(action, seen)
        return self.tool, {"action": name, **fields}

    def _click(self, given: Arguments) -> Action:
        button, count = self.clicks[given.action]
        return Click(self.places.needed(given), button, count)

    def _type(self, given: Arguments) -> Action:
        mode = "append" if given.flag("append", False) else "replace"
        return TypeText(given.text("text"), self.places.given(given), mode, given.flag("press_enter", False))

    def _scroll(self, given: Arguments) -> Action:
        direction = given.choice("direction", tuple(DIRECTIONS))
        viewport = given.seen.viewport
        if not given.has("amount"):
            return scroll_by(direction, default_distance(direction, viewport), self.places.given(given))
        size = self.places.space(viewport)[0 if DIRECTIONS[direction][0] else 1]
        distance = given.number("amount") / size * extent(direction, viewport)
        if not 0 < distance <= _MOST_SCROLL:
            raise given.bad('needs "amount": how far, more than 0')
        return scroll_by(direction, max(1, half_up(distance)), self.places.given(given))

    def _written(self, action: Action, seen: Observation) -> tuple[str, Fields]:
        match action:
            case Click() | Hover() | Drag() | Scroll():
                return self._pointing(action, seen)
            case TypeText(text, target, mode, submit):
                where = self.places.written(target, seen)
                return "type", {**where, "text": text, **truths(press_enter=submit, append=mode == "append")}
            case Press(keys):
                return "key", {"keys": list(keys)}
            case Select(target, options):
                return "select_option", {**self.places.written(target, seen), "options": list(options)}
            case Wait(time):
                return "wait", {"time": seconds(time)}
            case Answer(text):
                return "answer", {"text": text}
            case _:
                return written_elsewhere(action, "go_back", "go_forward")

    def _pointing(self, action: Click | Hover | Drag | Scroll, seen: Observation) -> tuple[str, Fields]:
        match action:
            case Click(target, button, count, modifiers):
                name = next((name for name, click in self.clicks.items() if click == (button, count)), None)
                if name is None or modifiers:
                    raise Inexpressible(f"there is no click with {button} button, count {count}, keys {modifiers}")
                return name, self.places.written(target, seen)
            case Hover(target):
                return self.hover, self.places.written(target, seen)
            case Drag(start, end):
                return self.drag, self.places.written(start, seen, "start_") | self.places.written(end, seen)
            case Scroll():
                return "scroll", self._scrolling(action, seen)

    def _scrolling(self, action: Scroll, seen: Observation) -> Fields:
        towards = direction_of(action)
        if towards is None or not towards[1]:
            raise Inexpressible("a scroll goes in one direction")
        direction, distance = towards
        fields: Fields = {**self.places.written(action.target, seen), "direction": direction}
        if distance != default_distance(direction, seen.viewport):
            size = self.places.space(seen.viewport)[0 if DIRECTIONS[direction][0] else 1]
            fields["amount"] = max(1, half_up(distance * size / extent(direction, seen.viewport)))
        return fields

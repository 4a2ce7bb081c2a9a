"""The actions that a dialect of tool calls can express."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from webgym.agent.dialects.arguments import Arguments, Complaint, shown
from webgym.agent.dialects.calls import ParsedCall
from webgym.agent.dialects.places import Places
from webgym.records.action import Action, Scroll, Target
from webgym.records.observation import Observation, Viewport

Reader = Callable[[Arguments], Action]
Written = tuple[str, dict[str, object]]
"""Name of the tool, and arguments."""

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_DEFAULT_SCREENS = 0.75
"""Default scroll distance as a fraction of the viewport, so that part of the old view stays visible."""


class ActionVocabulary(Protocol):
    """The actions of one or more tools."""

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools."""
        ...

    @property
    def schemas(self) -> tuple[str, ...]:
        """Names of their schema files, in the same order."""
        ...

    @property
    def places(self) -> Places:
        """How targets are written."""
        ...

    def readers(self, tool: str) -> Mapping[str, Reader]:
        """Return the readers of a tool's actions, by action name."""
        ...

    def action_key(self, tool: str) -> str:
        """Return the name of the argument that holds the action name."""
        ...

    def write(self, action: Action, seen: Observation) -> Written:
        """Return an action as a call. Raises `Inexpressible`."""
        ...


def read_action(vocabulary: ActionVocabulary, call: ParsedCall, seen: Observation) -> Action:
    """Return the action of a call; raises `Complaint` if it is invalid."""
    if call.tool not in vocabulary.tools:
        named = " or ".join(vocabulary.tools)
        raise Complaint("unknown_action", f"there is no tool {shown(call.tool)}; call {named}")
    key = vocabulary.action_key(call.tool)
    readers = vocabulary.readers(call.tool)
    name = call.arguments.get(key)
    if not isinstance(name, str) or name not in readers:
        what = f'"{key}" is missing' if name is None else f"there is no action {shown(name)}"
        raise Complaint("unknown_action", f"{what}; the actions of {call.tool} are {', '.join(readers)}")
    return readers[name](Arguments(name, call.arguments, seen))


def scroll_by(direction: str, distance: int, target: Target | None) -> Scroll:
    """Return a scroll of this many pixels in a direction."""
    x, y = DIRECTIONS[direction]
    return Scroll(x * distance, y * distance, target)


def direction_of(action: Scroll) -> tuple[str, int] | None:
    """Return direction and pixels; None for a scroll along both axes."""
    if action.dx and action.dy:
        return None
    if action.dx:
        return ("right" if action.dx > 0 else "left"), abs(action.dx)
    return ("up" if action.dy < 0 else "down"), abs(action.dy)


def extent(direction: str, viewport: Viewport) -> int:
    """Return the viewport's size along a direction, in pixels."""
    return viewport.width if DIRECTIONS[direction][0] else viewport.height


def default_distance(direction: str, viewport: Viewport) -> int:
    """Return the pixels to scroll if no distance is given."""
    return round(_DEFAULT_SCREENS * extent(direction, viewport))


def seconds(value: float) -> float | int:
    """Return whole seconds as an integer: 2, not 2.0."""
    return int(value) if float(value).is_integer() else value

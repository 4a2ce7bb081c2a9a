"""Where an action points, in the viewport of the observation it was chosen from."""

from __future__ import annotations

from webgym.records.action import (
    Action,
    Click,
    Drag,
    Hover,
    MarkRef,
    Point,
    Scroll,
    Select,
    Target,
    TypeText,
    Upload,
)
from webgym.records.base import Record
from webgym.records.observation import Box, Observation


class AimPoint(Record, frozen=True, omit_defaults=False):
    """A target of an action."""

    x: float
    y: float
    box: Box | None = None
    """Box of the element, if known."""


class Aim(Record, frozen=True, omit_defaults=False):
    """What to draw on the screenshot; None if the action has no target."""

    at: AimPoint | None = None
    to: AimPoint | None = None
    """Where a drag ends."""


NOWHERE = Aim()


def aim(action: Action, box: Box | None, observation: Observation) -> Aim:
    """Return where the action points; `box` is the target according to the agent."""
    match action:
        case Click() | Hover() | Select() | Upload():
            return Aim(_spot(action.target, observation, box))
        case TypeText():
            return Aim(_spot(action.target, observation, box) if action.target is not None else _box_spot(box))
        case Scroll():
            view = observation.viewport
            middle = AimPoint(view.width / 2, view.height / 2)
            return Aim(middle if action.target is None else _spot(action.target, observation, box))
        case Drag():
            return Aim(_spot(action.start, observation, box), _spot(action.end, observation, None))
        case _:
            return NOWHERE


def _spot(target: Target, observation: Observation, box: Box | None) -> AimPoint | None:
    match target:
        case Point(x=x, y=y):
            return AimPoint(x, y, box)
        case MarkRef(mark=number):
            marked = next((mark.box for mark in observation.marks or () if mark.mark == number), box)
            return _box_spot(marked)


def _box_spot(box: Box | None) -> AimPoint | None:
    return AimPoint(box.x + box.width / 2, box.y + box.height / 2, box) if box is not None else None

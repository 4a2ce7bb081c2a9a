"""The effect of each step's action, according to the next observation."""

from __future__ import annotations

from typing import Literal

from webgym.records.action import Answer
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import NoChange, Observation, PageChange
from webgym.records.trajectory import Step, Trajectory

StepEffect = Literal["changed", "unchanged", "failed", "malformed", "answered", "unseen"]
"""`failed`: could not be performed. `malformed`: the reply held no action. `unseen`: no observation followed."""


def effects(trajectory: Trajectory) -> tuple[StepEffect, ...]:
    """Return the effect of each step."""
    seen = [step.observation for step in trajectory.steps[1:]]
    after = [*seen, trajectory.ending.last]
    return tuple(_effect(step, later) for step, later in zip(trajectory.steps, after, strict=False))


def worth_cloning(trajectory: Trajectory) -> tuple[bool, ...]:
    """Return for each step whether it may have contributed to a success."""
    return tuple(effect in {"changed", "answered", "unseen"} for effect in effects(trajectory))


def _effect(step: Step, later: Observation | None) -> StepEffect:
    match step.turn.choice:
        case MalformedReply():
            return "malformed"
        case Decision(action=Answer()):
            return "answered"
        case Decision():
            return "unseen" if later is None else _told(step.observation, later)


def _told(before: Observation, later: Observation) -> StepEffect:
    match later.effect:
        case PageChange():
            return "changed"
        case NoChange():
            return "unchanged"
        case None:
            return "unchanged" if _same_picture(before, later) else "changed"
        case _:
            return "failed" if _same_picture(before, later) else "changed"


def _same_picture(before: Observation, later: Observation) -> bool:
    """Compare screenshots by address, that is, by content."""
    if before.screenshot is None or later.screenshot is None:
        return before.screenshot is later.screenshot
    return before.screenshot.address == later.screenshot.address

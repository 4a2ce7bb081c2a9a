"""Attempts of an evaluation for the report: what the agent saw, and where and how it acted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from webgym.agent.sentences import sentence_for
from webgym.curves.report import ExampleStep, PicturePoint, ReportExample
from webgym.errors import StoreError
from webgym.records.action import Drag, Scroll
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation
from webgym.records.trajectory import Step, outcome_kind
from webgym.store.read import Run, open_run
from webgym.viewer.aim import AimPoint, aim

_EXAMPLES = 6
_STEPS = 30
_SCROLLED = 0.4
"""Length of the arrow of a scroll, at most, relative to the height of the picture."""
_LEAST_SCROLLED = 0.15


def examples_of(evaluation: Path, gained: Sequence[str]) -> list[ReportExample]:
    """Pick attempts of an evaluation: at `gained` tasks, which are newly solved, then other successes and failures."""
    with open_run(evaluation) as run:
        rows = [row for row in run.rows() if row.reward is not None]
        succeeded = [row.attempt_id for row in rows if row.outcome == "success"]
        failed = [row.attempt_id for row in rows if row.outcome != "success"]
        half = _EXAMPLES // 2
        good = list(dict.fromkeys([*gained, *succeeded]))[: max(half, _EXAMPLES - len(failed))]
        return [_example(run, name, gained=name in gained) for name in [*good, *failed[: _EXAMPLES - len(good)]]]


def _example(run: Run, attempt_id: str, *, gained: bool) -> ReportExample:
    found = run.trajectory(attempt_id)
    return ReportExample(
        title=found.attempt.task.instruction,
        outcome=outcome_kind(found.ending.outcome),
        steps=[_shot(run, step) for step in found.steps[:_STEPS]],
        note="not solved before training" if gained else "",
    )


def _shot(run: Run, step: Step) -> ExampleStep:
    picture = _picture(run, step)
    match step.turn.choice:
        case Decision() as made:
            words = sentence_for(made.action, step.observation)
            at, path = _drawn(made, step.observation)
            # As in the viewer: what the agent calls it, and below what it did.
            return ExampleStep(picture, made.sentence or words, words if made.sentence else "", at, path)
        case MalformedReply(message=message):
            return ExampleStep(picture, "No action in this response", message)


def _drawn(made: Decision, seen: Observation) -> tuple[PicturePoint | None, tuple[PicturePoint, PicturePoint] | None]:
    """Return where the ring goes, and from where to where an arrow goes."""
    pointed = aim(made.action, made.box, seen)
    at, to = _place(pointed.at, seen), _place(pointed.to, seen)
    match made.action:
        case Scroll() as scroll:
            return None, _arrow(scroll, at, seen) if at else None
        case Drag():
            return at, (at, to) if at and to else None
        case _:
            return at, None


def _place(spot: AimPoint | None, seen: Observation) -> PicturePoint | None:
    view = seen.viewport
    return (spot.x / view.width, spot.y / view.height) if spot else None


def _arrow(scroll: Scroll, middle: PicturePoint, seen: Observation) -> tuple[PicturePoint, PicturePoint]:
    view = seen.viewport
    far = math.hypot(scroll.dx, scroll.dy) or 1.0
    length = view.height * min(_SCROLLED, max(_LEAST_SCROLLED, far / view.height))
    x, y = (scroll.dx / far * length / 2 / view.width, scroll.dy / far * length / 2 / view.height)
    return (middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)


def _picture(run: Run, step: Step) -> bytes | None:
    shot = step.observation.screenshot
    if shot is None:
        return None
    try:
        return run.blob(shot.address)
    except StoreError:
        return None

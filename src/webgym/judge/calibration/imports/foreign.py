"""Attempts by third-party agents: screenshots in order, actions as free text, and an answer."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from PIL import Image, UnidentifiedImageError

from webgym.errors import ConfigError
from webgym.judge.calibration.labelled import LabelledAttempt
from webgym.llm.untrusted import storable
from webgym.records.action import Action, Answer, Back, Click, Navigate, Point, Press, Scroll, TypeText, Wait
from webgym.records.decision import Decision, Turn
from webgym.records.label import Label
from webgym.records.observation import Blob, Observation, PageChange, Viewport, address_of
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Ending, JudgeUnknown, Step, Trajectory

_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif"}
_MOST_WORDS = 400
_CALL = re.compile(r"^\s*(\w+)\s*\((.*)\)\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ForeignStep:
    """A screenshot, and the action taken on it."""

    picture: bytes
    url: str = ""
    action: Action | None = None
    """None if no action record of ours matches; `did` describes it as text."""
    did: str = ""
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """An attempt by a third-party agent."""

    attempt_id: str
    task_id: str
    benchmark: str
    instruction: str
    website: str
    moments: Sequence[ForeignStep]
    answer: str | None
    labels: tuple[Label, ...] = ()


def labelled(foreign: Foreign) -> LabelledAttempt:
    """Convert to our records. As the task has no rubric, it gets a single fact: that the task was done.

    Raises:
        ConfigError: There are no screenshots, or one is not an image.
    """
    if not foreign.moments:
        raise ConfigError("there are no screenshots")
    instruction = storable(foreign.instruction.strip())
    task = Task(
        task_id=foreign.task_id,
        instruction=instruction,
        website=foreign.website,
        rubric=(FactGroup(1, "The task", (f"What was asked for was done, all of it: {instruction}",)),),
        benchmark=foreign.benchmark,
    )
    steps = [_step(number, moment) for number, moment in enumerate(foreign.moments, 1)]
    if foreign.answer is not None:
        last = steps[-1]
        answered = Step(last.number, last.observation, Turn(Decision(Answer(storable(foreign.answer)))))
        # The last screenshot is the one answered on, unless an action was taken on it.
        steps = [*steps[:-1], answered] if foreign.moments[-1].action is None else [*steps, _after(answered)]
    ending = Ending(JudgeUnknown("imported: not judged yet"), foreign.answer, steps=len(steps), began=1.0, ended=2.0)
    trajectory = Trajectory(Attempt(foreign.attempt_id, task, foreign.task_id), tuple(steps), ending)
    return LabelledAttempt(
        trajectory, {address_of(moment.picture): moment.picture for moment in foreign.moments}, foreign.labels
    )


def browsergym_action(text: str) -> Action | None:
    """Parse a BrowserGym action, such as `fill("a12", "blue lamp")`; None if we have no equivalent."""
    found = _CALL.match(text)
    name, arguments = (found[1], _literals(found[2])) if found else ("", [])
    match name, arguments:
        case "goto", [str(url), *_]:
            return Navigate(storable(url))
        case "fill" | "keyboard_type" | "type", [*_, str(typed)]:
            return TypeText(storable(typed))
        case "scroll", [int() | float() as dx, int() | float() as dy]:
            return Scroll(dx=int(dx), dy=int(dy))
        case "go_back", _:
            return Back()
        case "press" | "keyboard_press", [*_, str(keys)]:
            return Press(tuple(keys.split("+"))[:4])
        case "mouse_click", [int() | float() as x, int() | float() as y, *_]:
            return Click(Point(int(x), int(y)))
        case _:
            return None


def said_to_user(text: str) -> str | None:
    """Return the message that a BrowserGym action sends to the user; None if it sends none."""
    found = _CALL.match(text)
    if found is None or found[1] not in {"send_msg_to_user", "report_infeasible", "report_infeasible_instructions"}:
        return None
    said = [literal for literal in _literals(found[2]) if isinstance(literal, str)]
    return said[0] if said else ""


def computer_action(name: str, arguments: Mapping[str, Any]) -> Action | None:
    """Convert an action of a computer-use model; None if we have no equivalent."""
    place = arguments.get("coordinate")
    match name:
        case "left_click" | "click" | "double_click":
            return _click(place, 2 if name == "double_click" else 1)
        case "type" | "input_text":
            return TypeText(storable(str(arguments.get("text", ""))))
        case "visit_url":
            return Navigate(storable(str(arguments.get("url", ""))))
        case "scroll":
            pixels = arguments.get("pixels", 0)
            # Positive is up there, as on a mouse wheel.
            return Scroll(dy=-int(pixels)) if isinstance(pixels, int | float) else None
        case "history_back":
            return Back()
        case "key":
            keys = cast("list[Any]", found) if isinstance(found := arguments.get("keys"), list) else []
            return Press(tuple(map(str, keys))[:4]) if keys else None
        case _:
            return None


def _click(place: Any, count: int) -> Action | None:
    match place:
        case [int() | float() as x, int() | float() as y]:
            return Click(Point(int(x), int(y)), count=count)
        case _:
            return None


def _literals(text: str) -> list[Any]:
    """Return the literal positional arguments of a call, given its source text."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        return [ast.literal_eval(arg) for arg in call.args] if isinstance(call, ast.Call) else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _step(number: int, one: ForeignStep) -> Step:
    try:
        with Image.open(io.BytesIO(one.picture)) as image:
            size, media_type = image.size, _TYPES.get(image.format or "", "application/octet-stream")
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise ConfigError(f"screenshot {number} is not a readable image: {error}") from error
    look = Observation(
        sequence=number,
        url=one.url,
        viewport=Viewport(*size),
        screenshot=Blob(address_of(one.picture), media_type, len(one.picture)),
        effect=PageChange() if number > 1 else None,
    )
    words = storable(one.did[:_MOST_WORDS])
    return Step(number, look, Turn(Decision(one.action or Wait(0.0), sentence=words, thought=storable(one.thought))))


def _after(step: Step) -> Step:
    return Step(step.number + 1, step.observation, step.turn)

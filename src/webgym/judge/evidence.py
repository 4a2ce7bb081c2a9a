"""The evidence of an attempt: its distinct screenshots, the actions between them, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from webgym.errors import JudgeError
from webgym.judge.website import is_elsewhere
from webgym.records.action import Action, Answer, Upload
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.trajectory import Step
from webgym.records.verdict import Shot

MOST_ANSWER = 20_000
"""Longest answer in characters. A longer one is rejected, not truncated: the unseen part would go unchecked."""


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A distinct screenshot, with the page it shows."""

    shot: Shot
    url: str
    title: str
    width: int
    height: int
    elsewhere: bool = False
    """Whether it shows another website than the task's, and is therefore no evidence."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one attempt."""

    task: Task
    seen: tuple[EvidencePage, ...]
    """Ordered by when each was last seen."""
    actions: tuple[dict[str, Any], ...]
    answer: str

    @property
    def facts(self) -> dict[str, tuple[int, int]]:
        """Group and index of each fact, by the id used in prompts and replies."""
        return {
            f"{group.id}.{index + 1}": (group.id, index)
            for group in self.task.rubric
            for index in range(len(group.facts))
        }


def evidence_of(
    task: Task,
    steps: Sequence[Step],
    last: Observation | None,
    answer: str,
    *,
    thoughts: bool = False,
    other_sites: bool = False,
) -> Evidence:
    """Collect the evidence of an attempt.

    Raises:
        JudgeError: There is no usable rubric, the answer is too long, or there is no screenshot.
    """
    if not task.difficulty or len({group.id for group in task.rubric}) < len(task.rubric):
        raise JudgeError(f"task {task.task_id} has no usable rubric: it has no facts, or fact groups share an id")
    if len(answer) > MOST_ANSWER:
        raise JudgeError(f"the answer has {len(answer)} characters; the judge accepts at most {MOST_ANSWER}")
    looks = [(step.number, step.observation) for step in steps]
    if last is not None and (not looks or last.sequence != looks[-1][1].sequence):
        looks.append((len(steps) + 1, last))
    seen = _distinct(looks, "" if other_sites else task.website)
    if not seen:
        raise JudgeError("there is no screenshot to judge")
    after = [*(look for _, look in looks[1:]), None]
    actions = tuple(_told(step, then, thoughts=thoughts) for step, then in zip(steps, after, strict=False))
    return Evidence(task, seen, actions, answer)


def _distinct(looks: Sequence[tuple[int, Observation]], website: str) -> tuple[EvidencePage, ...]:
    """Return each screenshot once, with the numbers of all steps that saw it.

    Ordered by when each was last seen, because later states override earlier ones, even if a state recurs.
    """
    steps: dict[str, list[int]] = {}
    looked: dict[str, Observation] = {}
    for number, look in looks:
        if look.screenshot is not None:
            steps.setdefault(look.screenshot.address, []).append(number)
            looked[look.screenshot.address] = look
    order = sorted(steps, key=lambda address: steps[address][-1])
    return tuple(_seen(Shot(address, tuple(steps[address])), looked[address], website) for address in order)


def _seen(shot: Shot, look: Observation, website: str) -> EvidencePage:
    size = look.viewport
    return EvidencePage(shot, look.url, look.title, size.width, size.height, is_elsewhere(look.url, website))


def _told(step: Step, then: Observation | None, *, thoughts: bool) -> dict[str, Any]:
    choice = step.turn.choice
    match choice:
        case Decision(action=action):
            told: dict[str, Any] = {"step": step.number, "did": _plain(action)}
            if thoughts:
                told |= {"said": choice.sentence, "thought": choice.thought}
        case MalformedReply():
            told = {"step": step.number, "did": "nothing: its reply held no action"}
    if then is not None and then.effect is not None:
        told["led_to"] = msgspec.to_builtins(then.effect)
    return told


def _plain(action: Action) -> Any:
    """The action as plain data, without file contents; the answer is passed separately."""
    match action:
        case Answer():
            return {"kind": "answer"}
        case Upload(target=target, files=files):
            return {"kind": "upload", "target": msgspec.to_builtins(target), "files": [file.name for file in files]}
        case _:
            return msgspec.to_builtins(action)

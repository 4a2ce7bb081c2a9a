"""What attacks are made from, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from webgym.records.action import Answer
from webgym.records.decision import Decision
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.trajectory import Ending, JudgeUnknown, Step, Trajectory

UNDONE = "/undone"
"""Attempts whose id ends so were made by an agent that did the task and then undid a part of it."""


@dataclass(frozen=True, slots=True)
class Honest:
    """An attempt that was made in good faith, and whether it succeeded."""

    trajectory: Trajectory
    success: bool
    picture: Callable[[str], bytes]
    """The bytes of a screenshot, by address."""
    siblings: Sequence[Honest] = ()
    """Other attempts at the same task."""
    contradicted: bool = False
    """Whether something on its screen speaks against it."""

    @property
    def task(self) -> Task:
        return self.trajectory.attempt.task

    @property
    def answer(self) -> str:
        return self.trajectory.ending.answer or ""

    @property
    def acting(self) -> tuple[Step, ...]:
        """Its steps without the one that answers."""
        return tuple(step for step in self.trajectory.steps if not answers(step))

    @property
    def final(self) -> Observation | None:
        """What was seen last."""
        steps = self.trajectory.steps
        return self.trajectory.ending.last or (steps[-1].observation if steps else None)


@dataclass(frozen=True, slots=True)
class Attacked:
    """An attempt that does not deserve a reward."""

    trajectory: Trajectory
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Screenshots that the honest attempt does not have, by address."""
    altered: dict[str, str] = field(default_factory=dict[str, str])
    """Of these, which are screenshots of the honest attempt with something written on them: address of that one."""


class Attack(Protocol):
    """One way to do so."""

    name: str
    about: str
    """What it tries, in one sentence."""

    def made(self, honest: Honest) -> Attacked | None:
        """The attack, made from this attempt; None if it cannot be made from it."""
        ...


def answers(step: Step) -> bool:
    """Whether this step gives the final answer."""
    match step.turn.choice:
        case Decision(action=Answer()):
            return True
        case _:
            return False


def wants_answer(task: Task) -> bool:
    """Whether something has to be found out and told."""
    return bool(task.reference) or any("answer" in fact.lower() for group in task.rubric for fact in group.facts)


def told(honest: Honest, name: str, steps: Sequence[Step], answer: str) -> Trajectory:
    """A trajectory of these steps that ends with this answer, under an id of its own."""
    attempt = honest.trajectory.attempt
    numbered = tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1))
    looked = tuple(_in_order(step, number) for number, step in enumerate(numbered, 1))
    return Trajectory(
        msgspec.structs.replace(attempt, attempt_id=f"{name}/{attempt.attempt_id}", group=name),
        looked,
        Ending(JudgeUnknown("not judged yet"), answer, steps=len(looked), began=1.0, ended=2.0),
    )


def answering(step: Step, answer: str) -> Step:
    """The same look, followed by this answer."""
    turn = msgspec.structs.replace(step.turn, choice=Decision(Answer(answer)))
    return msgspec.structs.replace(step, turn=turn)


def _in_order(step: Step, number: int) -> Step:
    """Steps of several attempts, as if they had been one."""
    return msgspec.structs.replace(step, observation=msgspec.structs.replace(step.observation, sequence=number))

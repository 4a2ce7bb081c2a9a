"""The input and output of an attack: honest attempts, and adversarial attempts derived from them."""

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
"""Suffix of the ids of attempts by an agent that completes the task and then undoes part of it."""


@dataclass(frozen=True, slots=True)
class Honest:
    """An attempt made in good faith, and whether it succeeded."""

    trajectory: Trajectory
    success: bool
    picture: Callable[[str], bytes]
    """Return the bytes of a screenshot by its address."""
    siblings: Sequence[Honest] = ()
    """Other attempts at the same task."""
    contradicted: bool = False
    """Whether something on the screen contradicts success."""

    @property
    def task(self) -> Task:
        return self.trajectory.attempt.task

    @property
    def answer(self) -> str:
        return self.trajectory.ending.answer or ""

    @property
    def acting(self) -> tuple[Step, ...]:
        """The steps without the one that answers."""
        return tuple(step for step in self.trajectory.steps if not answers(step))

    @property
    def final(self) -> Observation | None:
        """The last observation."""
        steps = self.trajectory.steps
        return self.trajectory.ending.last or (steps[-1].observation if steps else None)


@dataclass(frozen=True, slots=True)
class AdversarialAttempt:
    """An adversarial attempt, which deserves no reward."""

    trajectory: Trajectory
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Screenshots that the honest attempt lacks, by address."""
    altered: dict[str, str] = field(default_factory=dict[str, str])
    """For each of `pictures` that is an edited screenshot of the honest attempt: the address of the original."""


class Attack(Protocol):
    """A reward-hacking strategy."""

    name: str
    about: str
    """What the attack tries, in one sentence."""

    def made(self, honest: Honest) -> AdversarialAttempt | None:
        """Build the attack from this attempt, or return None if that is not possible."""
        ...


def answers(step: Step) -> bool:
    """Whether this step gives the final answer."""
    match step.turn.choice:
        case Decision(action=Answer()):
            return True
        case _:
            return False


def wants_answer(task: Task) -> bool:
    """Whether the task asks for information to be reported in the answer."""
    return bool(task.reference) or any("answer" in fact.lower() for group in task.rubric for fact in group.facts)


def told(honest: Honest, name: str, steps: Sequence[Step], answer: str) -> Trajectory:
    """Return a trajectory of these steps that ends with this answer, under its own attempt id."""
    attempt = honest.trajectory.attempt
    numbered = tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1))
    looked = tuple(_in_order(step, number) for number, step in enumerate(numbered, 1))
    return Trajectory(
        msgspec.structs.replace(attempt, attempt_id=f"{name}/{attempt.attempt_id}", group=name),
        looked,
        Ending(JudgeUnknown("not judged yet"), answer, steps=len(looked), began=1.0, ended=2.0),
    )


def answering(step: Step, answer: str) -> Step:
    """Return the step with its action replaced by this answer."""
    turn = msgspec.structs.replace(step.turn, choice=Decision(Answer(answer)))
    return msgspec.structs.replace(step, turn=turn)


def _in_order(step: Step, number: int) -> Step:
    """Renumber the observation, so that steps of several attempts read as one."""
    return msgspec.structs.replace(step, observation=msgspec.structs.replace(step.observation, sequence=number))

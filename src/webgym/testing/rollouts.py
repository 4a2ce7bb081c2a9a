"""Fakes of agents, judges, episodes and recorders, without a model, a website or a disk."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio.lowlevel

from webgym.errors import StoreError
from webgym.records.action import Action, Answer
from webgym.records.decision import Decision, Turn
from webgym.records.event import Event
from webgym.records.observation import Capture, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import UNFINISHED, Attempt, Ending, Step, Trajectory, outcome_kind
from webgym.records.verdict import FactVerdict, Verdict
from webgym.stages import Agent, Episode, Judge


class PlayedAgent:
    """Plays a fixed sequence of actions, then answers."""

    def __init__(self, actions: Iterable[Action], answer: str = "done") -> None:
        self._actions = iter((*actions, Answer(answer)))

    async def decide(self, capture: Capture) -> Turn:
        """Return the next action."""
        del capture
        await anyio.lowlevel.checkpoint()
        return Turn(Decision(next(self._actions)))


class FakeJudge:
    """A judge whose verdict is a function of the answer."""

    def __init__(self, holds: Callable[[str], bool] = lambda _answer: True, *, exact: bool = True) -> None:
        self.exact = exact
        self.asked = 0
        self._holds = holds

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return the same finding for every fact of the rubric."""
        del steps, last
        self.asked += 1
        await anyio.lowlevel.checkpoint()
        holds = self._holds(answer)
        rubric = attempt.task.rubric
        return Verdict(
            tuple(FactVerdict(group.id, fact, holds) for group in rubric for fact in range(len(group.facts)))
        )


class FakeEpisodes:
    """Episodes with an agent made by a function, and one judge for all."""

    def __init__(self, agent: Callable[[Attempt], Agent], judge: Judge) -> None:
        self._agent = agent
        self._judge = judge

    def prepare(self, attempt: Attempt) -> AbstractAsyncContextManager[Episode]:
        """Prepare an episode that needs no resources."""
        return self._prepare(attempt)

    @asynccontextmanager
    async def _prepare(self, attempt: Attempt) -> AsyncGenerator[Episode]:
        spec = SessionSpec(start_url=attempt.task.website)
        yield Episode(attempt, spec, Look(), self._agent(attempt), self._judge)


class MemoryRecorder:
    """A recorder that keeps everything in memory."""

    def __init__(self) -> None:
        self.steps: dict[str, list[Step]] = {}
        self.endings: dict[str, Ending] = {}
        self.attempts: dict[str, Attempt] = {}
        self.blobs: dict[str, bytes] = {}

    async def begin(self, attempt: Attempt) -> None:
        """Begin a new try of an attempt.

        Raises:
            StoreError: The attempt has already ended.
        """
        self._check_not_over(attempt)
        self.attempts[attempt.attempt_id] = attempt
        self.steps[attempt.attempt_id] = []

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        """Record a step.

        Raises:
            StoreError: No try of this attempt is in progress.
        """
        self._check_not_over(attempt)
        if attempt.attempt_id not in self.steps:
            raise StoreError(f"no try of attempt {attempt.attempt_id} is under way")
        self.steps[attempt.attempt_id].append(step)
        self.blobs.update(blobs)

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        """Record the ending of an attempt.

        Raises:
            StoreError: The attempt has already ended.
        """
        self._check_not_over(attempt)
        self.attempts[attempt.attempt_id] = attempt
        self.endings[attempt.attempt_id] = ending
        self.blobs.update(blobs)

    def trajectory(self, attempt_id: str) -> Trajectory:
        """Return an attempt with its steps and ending."""
        steps = tuple(self.steps.get(attempt_id, ()))
        return Trajectory(self.attempts[attempt_id], steps, self.endings[attempt_id])

    def _check_not_over(self, attempt: Attempt) -> None:
        """Raise if the attempt has ended; attempts that were cancelled, or lost to infrastructure, may be repeated."""
        ending = self.endings.get(attempt.attempt_id)
        if ending is not None and outcome_kind(ending.outcome) not in UNFINISHED:
            raise StoreError(f"attempt {attempt.attempt_id} is over already")


class EventList:
    """An event sink that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Append the event."""
        self.events.append(event)


def fake_task(number: int = 1, facts: int = 1) -> Task:
    """Return a task with this many facts."""
    names = tuple(f"fact {index}" for index in range(facts))
    return Task(f"task-{number}", f"Do thing {number}.", "http://fake.example/", (FactGroup(1, "all", names),))


def fake_attempt(number: int = 1, facts: int = 1, member: int = 0) -> Attempt:
    """Return an attempt at a `fake_task`."""
    return Attempt(f"task-{number}/{member}", fake_task(number, facts), f"task-{number}", member, seed=member)

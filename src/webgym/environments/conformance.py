"""Conformance checks for `Environment`, with a real browser. `webgym env check NAME` runs them.

A check raises `AssertionError` if the environment fails it, and `NotOfferedError` if it is about something that the
environment does without:

@pytest.mark.parametrize("check", ENVIRONMENT_CHECKS)
async def test_my_environment(check, trial):
    await check(trial)
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import msgspec

from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.environment import TaskSelection
from webgym.records.observation import Capture
from webgym.records.session import Look
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.rng import Rng
from webgym.stages import (
    Agent,
    AttemptSetup,
    AttemptTerms,
    Browser,
    Environment,
    ForkableState,
    InjectableState,
    RunningEnvironment,
    Session,
    StateHandle,
)

_LOOK = Look(elements=True)
_STRAYS = 3
_TOLD_AGAIN = 20
DONE = "Done."


class NotOfferedError(Exception):
    """The environment does without what a check is about."""


class AttemptFailedError(Exception):
    """Stands for whatever may go wrong during an attempt."""


@dataclass(slots=True)
class Times:
    """How long an environment takes, in seconds."""

    prepare: list[float] = field(default_factory=list[float])
    reset: list[float] = field(default_factory=list[float])


@dataclass(frozen=True, slots=True)
class EnvironmentTrial:
    """An environment that was opened for some of its tasks, and a browser that reaches it."""

    environment: Environment
    running: RunningEnvironment
    browser: Browser
    selection: TaskSelection
    tasks: Sequence[Task]
    terms: AttemptTerms = AttemptTerms()
    steps: int = 60
    """Steps that an oracle may take."""
    times: Times = field(default_factory=Times)

    @asynccontextmanager
    async def prepared(self, task: Task, member: int = 0) -> AsyncGenerator[AttemptSetup]:
        """Prepare an attempt at this task."""
        attempt = Attempt(f"check/{task.task_id}/{member}", task, task.task_id, member, seed=member)
        began = time.perf_counter()
        async with self.running.prepare(attempt, self.terms) as setup:
            self.times.prepare.append(time.perf_counter() - began)
            yield setup

    @property
    def first(self) -> Task:
        return self.tasks[0]


EnvironmentCheck = Callable[[EnvironmentTrial], Awaitable[None]]


async def tasks_are_the_same_each_time(trial: EnvironmentTrial) -> None:
    """The same selection yields the same tasks, each with an id of its own, a start page and a rubric."""
    tasks = _some(trial)
    assert tasks == _some(trial), "the same selection yields other tasks the second time"
    ids = [task.task_id for task in tasks]
    assert len(ids) == len(set(ids)), "two tasks have the same id"
    for task in tasks:
        assert task.instruction, f"task {task.task_id} has no instruction"
        assert task.website.partition("://")[2], f"task {task.task_id} has no start page: {task.website!r}"
        assert task.difficulty, f"the rubric of task {task.task_id} has no fact"


async def what_is_supported_is_there(trial: EnvironmentTrial) -> None:
    """An attempt has an exact judge and an oracle if, and only if, `supports` says so; its judge is exact."""
    for task in trial.tasks:
        support = trial.environment.supports(task)
        async with trial.prepared(task) as setup:
            assert support.exact == (setup.judge is not None), f"supports({task.task_id}).exact is {support.exact}"
            assert support.oracle == (setup.oracle is not None), f"supports({task.task_id}).oracle is {support.oracle}"
            assert setup.judge is None or setup.judge.exact, "the environment's own judge has exact=False"


async def doing_nothing_succeeds_at_no_task(trial: EnvironmentTrial) -> None:
    """Whoever answers at once, with or without words, has not succeeded."""
    for task in trial.tasks:
        async with trial.prepared(task) as setup, trial.browser.open(setup.spec) as session:
            capture = await session.step(None, _LOOK)
            for answer in (DONE, ""):
                verdict = await _verdict(setup, [_answered(capture, answer)], answer)
                assert not verdict.success, f"doing nothing and answering {answer!r} succeeds at {task.task_id}"


async def verdicts_cover_every_fact(trial: EnvironmentTrial) -> None:
    """A verdict is on every fact of the rubric, once, and partial credit is a share."""
    for task in trial.tasks:
        async with trial.prepared(task) as setup, trial.browser.open(setup.spec) as session:
            capture = await session.step(None, _LOOK)
            verdict = await _verdict(setup, [_answered(capture, DONE)], DONE)
            rubric = setup.attempt.task.rubric
            wanted = sorted((group.id, fact) for group in rubric for fact in range(len(group.facts)))
            given = sorted((finding.group, finding.fact) for finding in verdict.facts)
            assert given == wanted, f"the verdict on {task.task_id} covers {given}, its rubric has {wanted}"
            assert verdict.credit is None or 0 <= verdict.credit <= 1, f"partial credit of {verdict.credit}"


async def an_oracle_succeeds_at_every_task(trial: EnvironmentTrial) -> None:
    """The oracle of a task succeeds at it."""
    tried = 0
    for task in trial.tasks:
        async with trial.prepared(task) as setup:
            if setup.oracle is not None:
                verdict = await _played(trial, setup, setup.oracle())
                assert verdict.success, f"the oracle fails at {task.task_id}: {_missed(setup, verdict)}"
                tried += 1
    if not tried:
        raise NotOfferedError("no oracle")


async def a_reset_leads_back_to_the_same_state(trial: EnvironmentTrial) -> None:
    """After some actions, `reset` leads back to the state that the attempt began with, byte by byte."""
    for task in trial.tasks:
        async with trial.prepared(task) as setup:
            state = _state(setup)
            before = await _bytes(state)
            async with trial.browser.open(setup.spec) as session:
                await _stray(session, Rng("conformance", task.task_id))
            began = time.perf_counter()
            await state.reset()
            trial.times.reset.append(time.perf_counter() - began)
            assert await _bytes(state) == before, f"a reset leads to another state of {task.task_id}"


async def attempts_begin_in_the_same_state(trial: EnvironmentTrial) -> None:
    """An attempt begins as if none had been there before."""
    async with trial.prepared(trial.first) as setup:
        before = await _bytes(_state(setup))
        if setup.oracle is not None:
            await _played(trial, setup, setup.oracle())
    async with trial.prepared(trial.first, 1) as setup:
        assert await _bytes(_state(setup)) == before, "an attempt begins in another state than the one before it"


async def parallel_attempts_do_not_influence_each_other(trial: EnvironmentTrial) -> None:
    """What one attempt does, another one at the same time and task does not see."""
    async with trial.prepared(trial.first) as still, trial.prepared(trial.first, 1) as other:
        before = await _bytes(_state(still))
        async with trial.browser.open(still.spec) as session:
            capture = await session.step(None, _LOOK)
            seen = await _bytes(_state(still))
            if other.oracle is not None:
                await _played(trial, other, other.oracle())
            else:
                async with trial.browser.open(other.spec) as another:
                    await _stray(another, Rng("conformance", "other"))
            assert await _bytes(_state(still)) == seen, "what another attempt did is in this one's state"
            verdict = await _verdict(still, [_answered(capture, DONE)], DONE)
            assert not verdict.success, "what another attempt did lets this one succeed"
        await _state(still).reset()
        assert await _bytes(_state(still)) == before


async def a_state_can_be_put_into_another_attempt(trial: EnvironmentTrial) -> None:
    """A state that was read and is injected into another attempt at the task is that state there."""
    async with trial.prepared(trial.first) as setup, trial.prepared(trial.first, 1) as other:
        state, there = _state(setup), _state(other)
        if not isinstance(state, InjectableState) or not isinstance(there, InjectableState):
            raise NotOfferedError("no injection")
        if setup.oracle is not None:
            await _played(trial, setup, setup.oracle())
        await there.inject(await state.read())
        assert await _bytes(there) == await _bytes(state), "an injected state reads differently"


async def forks_start_equal_and_part(trial: EnvironmentTrial) -> None:
    """A fork starts in the state of its origin, and what happens in it stays there."""
    async with trial.prepared(trial.first) as setup:
        state = _state(setup)
        if not isinstance(state, ForkableState):
            raise NotOfferedError("no forks")
        before = await _bytes(state)
        async with state.fork() as copy:
            assert await _bytes(_state(copy)) == before, "a fork starts in another state"
            if copy.oracle is not None:
                assert (await _played(trial, copy, copy.oracle())).success, "the oracle fails in a fork"
                assert await _bytes(_state(copy)) != before, "what is done in a fork does not change its state"
            assert await _bytes(state) == before, "what is done in a fork changes its origin"


async def a_failed_attempt_is_cleared_away(trial: EnvironmentTrial) -> None:
    """An error during an attempt is passed on, and the next attempt begins as if nothing had happened."""
    try:
        async with trial.prepared(trial.first) as setup, trial.browser.open(setup.spec) as session:
            await session.step(None, _LOOK)
            _break_down()
    except AttemptFailedError:
        pass
    else:
        raise AssertionError("the environment swallows the errors of attempts")
    async with trial.prepared(trial.first, 1) as setup, trial.browser.open(setup.spec) as session:
        capture = await session.step(None, _LOOK)
        assert capture.observation.screenshot is not None, "after a failed attempt the next one sees nothing"


ENVIRONMENT_CHECKS: tuple[EnvironmentCheck, ...] = (
    tasks_are_the_same_each_time,
    what_is_supported_is_there,
    attempts_begin_in_the_same_state,  # before others, which would leave the same behind
    doing_nothing_succeeds_at_no_task,
    verdicts_cover_every_fact,
    an_oracle_succeeds_at_every_task,
    a_reset_leads_back_to_the_same_state,
    parallel_attempts_do_not_influence_each_other,
    a_state_can_be_put_into_another_attempt,
    forks_start_equal_and_part,
    a_failed_attempt_is_cleared_away,
)


def _some(trial: EnvironmentTrial) -> list[Task]:
    return [task for task, _ in zip(trial.environment.tasks(trial.selection), range(_TOLD_AGAIN), strict=False)]


def _break_down() -> NoReturn:
    raise AttemptFailedError


def _state(setup: AttemptSetup) -> StateHandle:
    if setup.state is None:
        raise NotOfferedError("no handle on the state")
    return setup.state


async def _bytes(state: StateHandle) -> bytes:
    return msgspec.json.encode(await state.read())


async def _verdict(setup: AttemptSetup, steps: Sequence[Step], answer: str) -> Verdict:
    if setup.judge is None:
        raise NotOfferedError("no exact judge")
    return await setup.judge.judge(setup.attempt, steps, None, answer)


def _answered(capture: Capture, answer: str) -> Step:
    return Step(1, capture.observation, Turn(Decision(Answer(answer))))


async def _played(trial: EnvironmentTrial, setup: AttemptSetup, agent: Agent) -> Verdict:
    """Let the agent play the attempt to its end, and return the verdict."""
    steps: list[Step] = []
    async with trial.browser.open(setup.spec) as session:
        capture = await session.step(None, _LOOK)
        while len(steps) < trial.steps:
            turn = await agent.decide(capture)
            steps.append(Step(len(steps) + 1, capture.observation, turn))
            match turn.choice:
                case Decision(action=Answer(text=text)):
                    return await _verdict(setup, steps, text)
                case Decision(action=action):
                    capture = await session.step(action, _LOOK)
                case _:
                    pass
            if setup.end is not None and await setup.end.reason(capture.observation):
                break
    return await _verdict(setup, steps, "")


async def _stray(session: Session, rng: Rng) -> None:
    """Click on a few things at random."""
    capture = await session.step(None, _LOOK)
    for _ in range(_STRAYS):
        seen = capture.observation
        points = [
            element.point for element in seen.elements or () if element.point is not None and not element.disabled
        ]
        middle = Point(seen.viewport.width // 2, seen.viewport.height // 2)
        capture = await session.step(Click(rng.pick(points) if points else middle), _LOOK)


def _missed(setup: AttemptSetup, verdict: Verdict) -> str:
    facts = {(group.id, place): fact for group in setup.attempt.task.rubric for place, fact in enumerate(group.facts)}
    return "; ".join(facts.get((finding.group, finding.fact), "") for finding in verdict.facts if not finding.holds)

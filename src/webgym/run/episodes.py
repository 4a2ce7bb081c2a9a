"""Turn what an environment prepares into episodes: its session, with an agent and a judge."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from webgym.errors import ConfigError, JudgeError
from webgym.records.observation import Observation
from webgym.records.session import Look
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.stages import Agent, AttemptSetup, AttemptTerms, Episode, Judge, RunningEnvironment

MakeAgent = Callable[[AttemptSetup], Agent]
MakeJudge = Callable[[AttemptSetup], Judge]


@runtime_checkable
class OwnLook(Protocol):
    """An agent that defines its own observations; others get those of the configuration."""

    look: Look


@dataclass(frozen=True, slots=True)
class Players:
    """Who takes part in attempts: the agent, with its observations, and the judge."""

    agent: MakeAgent
    look: Look
    judge: MakeJudge


def exact_judge(setup: AttemptSetup) -> Judge:
    """Return the environment's own judge.

    Raises:
        ConfigError: It has none for this task.
    """
    if setup.judge is None:
        raise ConfigError(
            f"task {setup.attempt.task.task_id} is on {setup.attempt.task.website}, which has no exact "
            "judge: let a model judge (judge.use = 'rubric'), or use your own judge (judge.use = "
            "'module:function')"
        )
    return setup.judge


def oracle_of(setup: AttemptSetup) -> Agent:
    """Return the environment's agent that solves the task.

    Raises:
        ConfigError: It has none for this task.
    """
    if setup.oracle is None:
        raise ConfigError(f"there is no oracle for {setup.attempt.task.website}: its environment has none")
    return setup.oracle()


class NoJudge:
    """A judge that never gives a verdict."""

    exact = False

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Raise `JudgeError`."""
        del attempt, steps, last, answer
        raise JudgeError("no judge is configured")


class EnvironmentEpisodes:
    """Prepares episodes in a running environment."""

    def __init__(self, players: Players, environment: RunningEnvironment, terms: AttemptTerms) -> None:
        self._players = players
        self._environment = environment
        self._terms = terms

    def prepare(self, attempt: Attempt) -> AbstractAsyncContextManager[Episode]:
        """Prepare a fresh episode for one try of an attempt."""
        return self._prepared(attempt)

    @asynccontextmanager
    async def _prepared(self, attempt: Attempt) -> AsyncGenerator[Episode]:
        async with self._environment.prepare(attempt, self._terms) as setup:
            agent = self._players.agent(setup)
            look = agent.look if isinstance(agent, OwnLook) else self._players.look
            yield Episode(setup.attempt, setup.spec, look, agent, self._players.judge(setup), setup.end)

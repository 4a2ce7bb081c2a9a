"""Episodes of the benchmark: an agent with simulated latency, and a judge that takes no time."""

from __future__ import annotations

import collections
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict
from webgym.stages import Episode
from webgym_bench.rollouts.prompts import prompt_and_reply
from webgym_bench.rollouts.work import Work, place_of

REACHED = "reached"
_ROUNDS = 4
"""Rounds whose pictures an agent holds, as real agents do for their prompts."""
_LOOK = Look(settle_seconds=20.0)
"""The settle time exceeds any page's load time, so that no page is observed before it has loaded."""
_MIDDLE = Point(640, 384)
"""Every page's link covers this point."""


class PacedAgent:
    """Follows the link on every page, and checks that each page is the expected one."""

    def __init__(self, work: Work, attempt: int, *, spoken: bool) -> None:
        self._work = work
        self._attempt = attempt
        self._spoken = spoken
        self._length = work.length(attempt)
        self._step = 0
        self._strayed = False
        self._window: collections.deque[Capture] = collections.deque(maxlen=_ROUNDS)

    async def decide(self, capture: Capture) -> Turn:
        """Decide after the simulated latency of the policy."""
        self._step += 1
        self._window.append(capture)
        expected = self._attempt, self._step - 1
        self._strayed = self._strayed or place_of(capture.observation.url) != expected
        await anyio.sleep(self._work.decision_seconds(self._attempt, self._step))
        decision = Decision(Click(_MIDDLE), sentence="Follow the link.")
        if self._step == self._length:
            decision = Decision(Answer("lost" if self._strayed else REACHED))
        return Turn(decision, *prompt_and_reply(self._step, self._window)) if self._spoken else Turn(decision)


class AnswerJudge:
    """Trusts the agent's answer, since the agent checks its pages."""

    exact = True

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        del attempt, steps, last
        return Verdict((FactVerdict(1, 0, answer == REACHED),))


class BenchEpisodes:
    """Sets episodes for the simulated work."""

    def __init__(self, work: Work, *, spoken: bool = False) -> None:
        self._work = work
        self._spoken = spoken
        """Whether turns carry a prompt and a reply, as those of a model do."""
        self._judge = AnswerJudge()

    def prepare(self, attempt: Attempt) -> AbstractAsyncContextManager[Episode]:
        """Set an episode that needs nothing but a session."""
        return self._prepare(attempt)

    @asynccontextmanager
    async def _prepare(self, attempt: Attempt) -> AsyncGenerator[Episode]:
        spec = SessionSpec(start_url=attempt.task.website)
        yield Episode(attempt, spec, _LOOK, PacedAgent(self._work, attempt.seed, spoken=self._spoken), self._judge)

"""Episodes of the benchmark: an agent that queries a policy at every step, and a judge with mixed verdicts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from webgym.errors import RequestError
from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict
from webgym.stages import Episode, Policy
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.prompts import prompt_for
from webgym_bench.rollouts.simulated import WEBSITE
from webgym_bench.rollouts.work import Work, page_path, place_of

_LOOK = Look()
_MIDDLE = Point(640, 384)


def number_of(attempt: Attempt, conditions: Conditions) -> int:
    """Number the attempts in the order in which their groups begin, so that both modes do the same work.

    Raises:
        RequestError: The group's name is not one that training assigns.
    """
    match attempt.group.split("/"):
        case [number, _] if number.isdigit():
            group = int(number)
        case [iteration, number, _] if iteration.isdigit() and number.isdigit():
            group = (int(iteration) - 1) * conditions.groups + int(number)
        case _:
            raise RequestError(f"not a training group: {attempt.group}")
    return group * conditions.members + attempt.member


class AskingAgent:
    """Queries the policy on every page but always follows the link. Checks that each page is the expected one."""

    def __init__(self, policy: Policy, attempt: int, length: int) -> None:
        self._policy = policy
        self._attempt = attempt
        self._length = length
        self._step = 0

    async def decide(self, capture: Capture) -> Turn:
        """Decide after one call to the policy."""
        if place_of(capture.observation.url) != (self._attempt, self._step):
            raise RequestError(f"{capture.observation.url} is not page {self._step} of attempt {self._attempt}")
        self._step += 1
        prompt = prompt_for(self._step, capture)
        reply = await self._policy.sample(prompt, capture.blobs, affinity=str(self._attempt))
        done = self._step == self._length
        decision = Decision(Answer("reached")) if done else Decision(Click(_MIDDLE), sentence="Follow the link.")
        return Turn(decision, prompt, reply)


class HalfJudge:
    """Lets every second member of a group succeed, so that every group has a learning signal in both modes."""

    exact = True

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        del steps, last, answer
        return Verdict((FactVerdict(1, 0, attempt.member % 2 == 0),))


class FlowEpisodes:
    """Sets episodes for the simulated work."""

    def __init__(self, conditions: Conditions, work: Work, policy: Policy) -> None:
        self._conditions = conditions
        self._work = work
        self._policy = policy
        self._judge = HalfJudge()

    def prepare(self, attempt: Attempt) -> AbstractAsyncContextManager[Episode]:
        """Set an episode that needs a session and the policy."""
        return self._prepare(attempt)

    @asynccontextmanager
    async def _prepare(self, attempt: Attempt) -> AsyncGenerator[Episode]:
        number = number_of(attempt, self._conditions)
        agent = AskingAgent(self._policy, number, self._work.length(number))
        yield Episode(attempt, SessionSpec(start_url=WEBSITE + page_path(number, 0)), _LOOK, agent, self._judge)

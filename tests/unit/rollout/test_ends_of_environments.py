"""An environment may end an attempt, prepare another one than was planned, and fail to prepare it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import pytest

from webgym.errors import BrowserFault, ConfigError, JudgeError
from webgym.records.action import Click, Point
from webgym.records.observation import Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.trajectory import Attempt, Ending, Failure, Infrastructure, JudgeUnknown, Success, Truncation
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.roll import roll
from webgym.stages import AttemptEnd, Episode
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeEpisodes, FakeJudge, MemoryRecorder, PlayedAgent, fake_attempt

pytestmark = pytest.mark.anyio
CLICKS = [Click(Point(5, 5))] * 9


class After:
    """Ends the attempt after so many actions."""

    def __init__(self, actions: int) -> None:
        self.left = actions
        self.seen: list[Observation] = []

    async def reason(self, observation: Observation) -> str:
        self.seen.append(observation)
        self.left -= 1
        return "the game is over" if self.left <= 0 else ""


class GameEpisodes(FakeEpisodes):
    """Episodes whose environment may end them, and which are prepared with another instruction each."""

    def __init__(self, judge: FakeJudge, end: AttemptEnd | None, troubles: int = 0) -> None:
        super().__init__(lambda _: PlayedAgent(CLICKS), judge)
        self.prepared = 0
        self._end = end
        self._troubles = troubles

    @asynccontextmanager
    async def _prepare(self, attempt: Attempt) -> AsyncGenerator[Episode]:
        self.prepared += 1
        if self.prepared <= self._troubles:
            raise BrowserFault("nothing to play on")
        task = msgspec.structs.replace(attempt.task, instruction=f"Play game {self.prepared}.")
        here = msgspec.structs.replace(attempt, task=task)
        yield Episode(here, SessionSpec(), Look(), self._agent(here), self._judge, self._end)


@pytest.fixture
def tools() -> Tools:
    events = EventList()
    return Tools(FakeBrowser(), Gates(events), MemoryRecorder(), events, Limits(easy=4))


async def ended(tools: Tools, judge: FakeJudge, end: AttemptEnd | None, troubles: int = 0) -> Ending:
    return await roll(fake_attempt(), GameEpisodes(judge, end, troubles), tools, tries=2)


@pytest.mark.parametrize("exact", [True, False])
async def test_an_attempt_that_its_environment_ends_is_judged_without_an_answer(tools: Tools, exact: bool):
    won = await ended(tools, FakeJudge(exact=exact), After(2))
    assert (won.outcome, won.answer, won.steps) == (Success(), None, 2)
    assert won.notes == ("the environment ended the attempt: the game is over",)


async def test_a_verdict_decides_between_success_and_failure(tools: Tools):
    lost = await ended(tools, FakeJudge(lambda _: False), After(2))
    assert lost.outcome == Failure("0 of 1 facts hold")


async def test_the_last_step_that_is_allowed_may_still_win(tools: Tools):
    assert (await ended(tools, FakeJudge(), After(4))).outcome == Success()


async def test_the_environment_is_asked_after_actions_only_and_limits_hold_besides(tools: Tools):
    end = After(9)
    assert (await ended(tools, FakeJudge(), end)).outcome == Truncation("steps")
    assert [seen.sequence for seen in end.seen] == sorted({seen.sequence for seen in end.seen})
    assert len(end.seen) == 4


async def test_without_a_verdict_an_ended_attempt_has_no_outcome_of_its_own(tools: Tools):
    class Silent(FakeJudge):
        async def judge(self, *_: object):
            raise JudgeError("nobody looked")

    assert isinstance((await ended(tools, Silent(), After(1))).outcome, JudgeUnknown)


async def test_what_was_prepared_is_recorded_with_the_try_that_counts(tools: Tools):
    await ended(tools, FakeJudge(), After(2), troubles=1)
    recorder = tools.recorder
    assert isinstance(recorder, MemoryRecorder)
    assert recorder.trajectory("task-1/0").attempt.task.instruction == "Play game 2."


async def test_an_attempt_that_cannot_be_prepared_has_an_ending(tools: Tools):
    ending = await ended(tools, FakeJudge(), None, troubles=9)
    assert isinstance(ending.outcome, Infrastructure)
    assert len(ending.failed_tries) == 1
    recorder = tools.recorder
    assert isinstance(recorder, MemoryRecorder)
    assert recorder.trajectory("task-1/0").steps == ()


async def test_an_environment_that_is_misconfigured_ends_the_run(tools: Tools):
    class Misconfigured(GameEpisodes):
        @asynccontextmanager
        async def _prepare(self, attempt: Attempt) -> AsyncGenerator[Episode]:
            raise ConfigError("no such application")
            yield

    with pytest.raises(ConfigError):
        await roll(fake_attempt(), Misconfigured(FakeJudge(), None), tools)

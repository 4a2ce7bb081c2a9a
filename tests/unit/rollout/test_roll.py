"""One attempt: what each way of ending means, what is tried again, and that nothing is lost."""

from __future__ import annotations

import dataclasses

import anyio
import msgspec
import pytest

from webgym.errors import (
    AuthError,
    BrowserFault,
    CapacityError,
    JudgeError,
    LossReason,
    PolicyRejected,
    PolicyUnavailable,
    SessionLost,
    TransportError,
)
from webgym.records import event as events
from webgym.records.action import Answer, Click, Navigate, Point, Wait
from webgym.records.decision import Branch, Decision, MalformedReply, Turn
from webgym.records.prompt import Completion
from webgym.records.trajectory import (
    Cancellation,
    Failure,
    Infrastructure,
    JudgeUnknown,
    SiteBlock,
    Success,
    Truncation,
    reward,
)
from webgym.rollout.gates import GateLimits, Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.roll import roll
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeEpisodes, FakeJudge, MemoryRecorder, PlayedAgent, fake_attempt

pytestmark = pytest.mark.anyio
CLICK = Click(Point(5, 5))


class Always:
    """Decides the same every time."""

    def __init__(self, turn: Turn | Exception) -> None:
        self._turn = turn

    async def decide(self, capture):
        if isinstance(self._turn, Exception):
            raise self._turn
        return self._turn


@pytest.fixture
def tools():
    events = EventList()
    return Tools(FakeBrowser(), Gates(events), MemoryRecorder(), events, Limits(easy=6))


async def run(tools: Tools, agent, judge=None, *, number=1, **options):
    make = agent if callable(agent) else lambda _attempt: agent
    return await roll(fake_attempt(number), FakeEpisodes(make, judge or FakeJudge()), tools, **options)


async def test_an_answer_that_the_judge_accepts_is_success(tools):
    ending = await run(tools, PlayedAgent([CLICK, CLICK], "42"), FakeJudge(lambda answer: answer == "42"))
    assert ending.outcome == Success()
    assert (ending.answer, ending.steps, reward(ending.outcome)) == ("42", 3, 1.0)
    stored = tools.recorder.trajectory("task-1/0")
    assert [step.number for step in stored.steps] == [1, 2, 3]
    assert all(step.observation.screenshot.address in tools.recorder.blobs for step in stored.steps)
    assert tools.browser.open_now == 0


async def test_an_answer_that_the_judge_rejects_is_failure(tools):
    ending = await run(tools, PlayedAgent([CLICK]), FakeJudge(lambda _: False))
    assert ending.outcome == Failure("0 of 1 facts hold")


async def test_branches_are_judged_in_place_of_the_answer_and_each_answer_once(tools):
    asked = list[str]()

    def judged(answer: str) -> bool:
        asked.append(answer)
        return answer == "42"

    branches = tuple(Branch(answer, Completion("")) for answer in ("42", "41", "40", None, "42"))
    turn = Turn(Decision(Answer("41")), branches=branches)
    ending = await run(tools, Always(turn), FakeJudge(judged))
    assert isinstance(ending.outcome, Failure)
    assert ending.branch_rewards == (1.0, 0.0, 0.0, None, 1.0)
    assert sorted(asked) == ["40", "41", "42"]
    assert tools.recorder.trajectory("task-1/0").ending == ending


async def test_a_branch_that_cannot_be_judged_has_no_reward_and_costs_nothing_else(tools):
    class Partly(FakeJudge):
        async def judge(self, attempt, steps, last, answer):
            if answer == "odd":
                raise JudgeError("unreadable")
            return await super().judge(attempt, steps, last, answer)

    branches = (Branch("odd", Completion("")), Branch("good", Completion("")))
    ending = await run(tools, Always(Turn(Decision(Answer("good")), branches=branches)), Partly())
    assert (ending.outcome, ending.branch_rewards) == (Success(), (None, 1.0))


async def test_using_up_the_steps_is_truncation_and_an_exact_judge_is_still_asked(tools):
    judge = FakeJudge()
    ending = await run(tools, Always(Turn(Decision(CLICK))), judge)
    assert ending.outcome == Truncation("steps")
    assert (ending.steps, judge.asked, reward(ending.outcome)) == (6, 1, 0.0)
    assert ending.verdict is not None
    assert ending.last is not None  # what the last click led to


async def test_a_model_judge_is_not_asked_about_an_attempt_without_an_answer(tools):
    judge = FakeJudge(exact=False)
    await run(tools, Always(Turn(Decision(CLICK))), judge)
    assert judge.asked == 0


async def test_replies_that_cannot_be_read_are_steps_and_too_many_in_a_row_end_the_attempt(tools):
    ending = await run(tools, Always(Turn(MalformedReply("no_call", "say what to do"))))
    assert ending.outcome == Truncation("format")
    assert ending.steps == 5
    assert tools.recorder.steps["task-1/0"][0].turn.choice == MalformedReply("no_call", "say what to do")


async def test_sampled_tokens_are_limited(tools):
    limits = Limits(easy=50, tokens=100)
    tools = Tools(tools.browser, tools.gates, tools.recorder, tools.events, limits)
    turn = Turn(Decision(CLICK), completion=Completion("x", sampled_tokens=30))
    ending = await run(tools, Always(turn))
    assert (ending.outcome, ending.steps) == (Truncation("tokens"), 4)


async def test_the_agents_own_time_is_limited(tools):
    limits = Limits(easy=50, seconds=0.05)
    tools = Tools(tools.browser, tools.gates, tools.recorder, tools.events, limits)
    ending = await run(tools, Always(Turn(Decision(Wait(0.03)))))
    assert ending.outcome == Truncation("time")


async def test_time_in_our_queues_is_not_the_agents(tools):
    limits = Limits(easy=2, seconds=0.2)
    gates = Gates(tools.events, GateLimits(infer=(1, 1)))
    tools = Tools(tools.browser, gates, tools.recorder, tools.events, limits)

    async def take_a_while() -> None:
        async with gates.through("infer", "another", 0):
            await anyio.sleep(0.4)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(take_a_while)
        await anyio.wait_all_tasks_blocked()
        ending = await run(tools, PlayedAgent([CLICK]))
    assert ending.outcome == Success()
    assert ending.queued >= 0.3


async def test_time_lost_to_us_is_infrastructure_not_failure(tools):
    limits = Limits(wall_seconds=0.2)
    tools = Tools(tools.browser, tools.gates, tools.recorder, tools.events, limits)
    ending = await run(tools, Always(Turn(Decision(Wait(5.0)))))
    assert isinstance(ending.outcome, Infrastructure)
    assert (ending.outcome.cause, reward(ending.outcome)) == ("timeout", None)
    assert tools.browser.open_now == 0


async def test_the_same_action_without_effect_over_and_over_is_reported(tools):
    ending = await run(tools, Always(Turn(Decision(Wait(0.0)))))
    assert any("same action" in note for note in ending.notes)
    assert any("without effect" in note for note in ending.notes)


async def test_a_loop_ends_the_attempt_if_so_configured(tools):
    limits = Limits(easy=50, repeats=4)
    tools = Tools(tools.browser, tools.gates, tools.recorder, tools.events, limits)
    ending = await run(tools, Always(Turn(Decision(Wait(0.0)))))
    assert (ending.outcome, ending.steps) == (Truncation("loop"), 4)


async def test_a_lost_session_is_tried_again_with_a_fresh_one_and_told(tools):
    lost = SessionLost("gone", reason=LossReason.NODE_LOST)
    agents = iter([Always(lost), PlayedAgent([CLICK])])
    ending = await run(tools, lambda _attempt: next(agents))
    assert ending.outcome == Success()
    assert [one.cause for one in ending.failed_tries] == ["session_lost"]
    assert tools.browser.opened == 2
    assert len(tools.recorder.steps["task-1/0"]) == 2  # of the second try alone


async def test_a_session_that_its_website_ended_is_the_websites_doing_and_not_tried_again(tools):
    lost = SessionLost("its pages harmed the browser again and again", reason=LossReason.WEBSITE)
    ending = await run(tools, Always(lost))
    assert ending.outcome == SiteBlock(
        "the website ended its own session: its pages harmed the browser again and again"
    )
    assert (ending.failed_tries, tools.browser.opened, reward(ending.outcome)) == ((), 1, None)


async def test_tries_are_bounded_and_the_last_error_is_the_outcome(tools):
    ending = await run(tools, Always(PolicyUnavailable("no server answers")), tries=2)
    assert ending.outcome == Infrastructure("policy_unavailable", "no server answers")
    assert (len(ending.failed_tries), tools.browser.opened) == (1, 2)


class Closed(FakeBrowser):
    """Refuses to open sessions, so many times."""

    def __init__(self, refusal: Exception, times: int) -> None:
        super().__init__()
        self.refusal = refusal
        self.refused = 0
        self.times = times

    def open(self, spec):
        if self.refused == self.times:
            return super().open(spec)
        self.refused += 1
        raise self.refusal


@pytest.mark.parametrize(
    "refusal",
    [
        TransportError("no fleet answers"),
        CapacityError("every session is taken"),
        SessionLost("its node left", reason=LossReason.NODE_LOST),
    ],
)
async def test_tries_that_never_got_a_session_are_free_during_an_outage(tools, monkeypatch, refusal):
    monkeypatch.setattr("webgym.rollout.roll._PAUSE_SECONDS", 0.001)
    browser = Closed(refusal, 7)
    ending = await run(dataclasses.replace(tools, browser=browser), PlayedAgent([CLICK]), tries=2)
    assert ending.outcome == Success()
    assert [(one.cause, one.steps) for one in ending.failed_tries] == [(refusal.code, 0)], "one outage, told once"


async def test_an_outage_is_waited_for_only_so_long(tools, monkeypatch):
    monkeypatch.setattr("webgym.rollout.roll._PAUSE_SECONDS", 0.001)
    monkeypatch.setattr("webgym.rollout.roll._OUTAGE_SECONDS", 0.05)
    browser = Closed(TransportError("no fleet answers"), 10_000)
    with anyio.fail_after(10):
        ending = await run(dataclasses.replace(tools, browser=browser), PlayedAgent([CLICK]), tries=2)
    assert ending.outcome == Infrastructure("transport", "no fleet answers")
    assert browser.refused > 2


async def test_a_browser_that_dies_while_it_opens_costs_a_try(tools):
    browser = Closed(SessionLost("gone", reason=LossReason.BROWSER_DIED), 10_000)
    await run(dataclasses.replace(tools, browser=browser), PlayedAgent([CLICK]), tries=2)
    assert browser.refused == 2, "the page may have killed it, and with it the sessions beside it"


async def test_what_would_fail_again_is_not_tried_again(tools):
    ending = await run(tools, Always(PolicyRejected("prompt too long")))
    assert ending.outcome == Infrastructure("policy_rejected", "prompt too long")
    assert tools.browser.opened == 1


async def test_a_bug_in_a_users_agent_ends_its_attempt_and_no_other(tools):
    ending = await run(tools, Always(KeyError("oops")))
    assert ending.outcome == Infrastructure("internal", "KeyError: 'oops'")


async def test_a_wrong_token_ends_the_run(tools):
    with pytest.raises(AuthError):
        await run(tools, Always(AuthError("wrong token")))


async def test_a_judge_that_comes_to_no_verdict_gives_no_reward(tools):
    class Mute(FakeJudge):
        async def judge(self, *args):
            raise JudgeError("could not be read")

    ending = await run(tools, PlayedAgent([]), Mute())
    assert ending.outcome == JudgeUnknown("could not be read")
    assert reward(ending.outcome) is None


class BlockedBrowser(FakeBrowser):
    """Every page is a refusal."""

    def open(self, spec):
        import contextlib

        outer = super().open(spec)

        @contextlib.asynccontextmanager
        async def opened():
            async with outer as session:
                step = session.step

                async def refused(action, look):
                    capture = await step(action, look)
                    seen = msgspec.structs.replace(capture.observation, title="Just a moment...", error_status=403)
                    return msgspec.structs.replace(capture, observation=seen)

                session.step = refused
                yield session

        return opened()


async def test_refusals_in_a_row_end_the_attempt_as_blocked(tools):
    tools = Tools(BlockedBrowser(), tools.gates, tools.recorder, tools.events, Limits(easy=50))
    ending = await run(tools, Always(Turn(Decision(CLICK))), FakeJudge(lambda _: False, exact=False))
    assert ending.outcome == SiteBlock("title: Just a moment; status: 403 forbidden")
    assert ending.steps == 2
    assert reward(ending.outcome) is None


async def test_an_answer_given_on_a_refusal_is_blocked_not_failure(tools):
    tools = Tools(BlockedBrowser(), tools.gates, tools.recorder, tools.events, Limits(easy=50))
    ending = await run(tools, PlayedAgent([], "I was blocked"), FakeJudge(lambda _: False, exact=False))
    assert isinstance(ending.outcome, SiteBlock)


async def test_the_verdict_of_an_exact_judge_stands_whatever_pages_look_like(tools):
    tools = Tools(BlockedBrowser(), tools.gates, tools.recorder, tools.events, Limits(easy=5))
    ending = await run(tools, PlayedAgent([CLICK] * 4, "it was a title"), FakeJudge(lambda _: False))
    assert isinstance(ending.outcome, Failure)
    assert (reward(ending.outcome), ending.steps) == (0.0, 5)
    ending = await run(tools, Always(Turn(Decision(CLICK))), FakeJudge(lambda _: False), number=2)
    assert ending.outcome == Truncation("steps")


async def test_an_exact_judge_that_knows_of_a_refusal_says_so(tools):
    class Knows(FakeJudge):
        async def judge(self, attempt, steps, last, answer):
            verdict = await super().judge(attempt, steps, last, answer)
            return msgspec.structs.replace(verdict, blocked="the site says so")

    assert (await run(tools, PlayedAgent([]), Knows(lambda _: False))).outcome == SiteBlock("the site says so")
    assert (await run(tools, PlayedAgent([]), Knows(), number=2)).outcome == Success()


async def test_a_cancelled_attempt_is_stored_as_cancelled_and_gives_its_session_back(tools):
    with anyio.move_on_after(0.1):
        await run(tools, Always(Turn(Decision(Wait(10.0)))))
    assert isinstance(tools.recorder.endings["task-1/0"].outcome, Cancellation)
    assert tools.browser.open_now == 0


async def test_an_attempt_that_is_over_is_not_cancelled_while_it_is_written(tools):
    class Slow(MemoryRecorder):
        async def end(self, attempt, ending, blobs):
            writing.set()
            await anyio.sleep(0.05)
            await super().end(attempt, ending, blobs)

    writing, recorder, endings = anyio.Event(), Slow(), []
    tools = Tools(tools.browser, tools.gates, recorder, tools.events, tools.limits)

    async def attempted() -> None:
        endings.append(await run(tools, PlayedAgent([])))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(attempted)
        await writing.wait()
        tasks.cancel_scope.cancel()
    assert [ending.outcome for ending in endings] == [Success()]
    assert recorder.endings["task-1/0"].outcome == Success()
    assert sum(isinstance(event, events.AttemptEnded) for event in tools.events.events) == 1


async def test_a_session_that_cannot_be_given_back_does_not_undo_what_was_done(tools):
    class Sticky(FakeBrowser):
        def open(self, spec):
            import contextlib

            outer = super().open(spec)

            @contextlib.asynccontextmanager
            async def opened():
                async with outer as session:
                    yield session
                raise BrowserFault("already gone")

            return opened()

    tools = Tools(Sticky(), tools.gates, tools.recorder, tools.events, tools.limits)
    assert (await run(tools, PlayedAgent([]))).outcome == Success()


async def test_whoever_watches_is_told_of_every_operation_and_step(tools):
    await run(tools, PlayedAgent([CLICK, Navigate("http://fake.example/x")]))
    told = tools.events.events
    operations = [event.operation for event in told if isinstance(event, events.OperationEnded)]
    assert operations == ["open", "observe", "infer", "act", "infer", "navigate", "infer", "close", "judge"]
    assert [event.action for event in told if isinstance(event, events.StepDecided)] == ["click", "navigate", "answer"]
    assert isinstance(told[-1], events.AttemptEnded)
    assert told[-1].outcome == "success"

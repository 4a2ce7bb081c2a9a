"""What a judge may leave open, and judges that look for refusals: how attempts end then."""

from __future__ import annotations

import pytest

from webgym.errors import JudgeError
from webgym.records.action import Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.trajectory import Failure, JudgeUnknown, SiteBlock, Success, Truncation, reward
from webgym.records.verdict import ClaimVerdict, Verdict, fact_verdict
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.roll import roll
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeEpisodes, MemoryRecorder, PlayedAgent, fake_attempt

pytestmark = pytest.mark.anyio


class Says:
    """Gives this verdict, and this word on refusals."""

    exact = False

    def __init__(self, verdict: Verdict | None = None, refused: str | JudgeError = "") -> None:
        self.verdict, self.refused = verdict, refused
        self.judged = self.looked = 0

    async def judge(self, attempt, steps, last, answer):
        self.judged += 1
        return self.verdict

    async def blocked(self, attempt, steps, last, pictures):
        self.looked += 1
        assert last.screenshot.address in pictures
        if isinstance(self.refused, JudgeError):
            raise self.refused
        return self.refused


class Clicking:
    async def decide(self, capture):
        return Turn(Decision(Click(Point(5, 5))))


@pytest.fixture
def tools():
    events = EventList()
    return Tools(FakeBrowser(), Gates(events), MemoryRecorder(), events, Limits(easy=3))


async def _ends(tools: Tools, judge: Says, agent=None):
    return await roll(fake_attempt(), FakeEpisodes(lambda _: agent or PlayedAgent([]), judge), tools)


def _verdict(finding, **more) -> Verdict:
    return Verdict((fact_verdict(1, 0, finding),), **more)


async def test_a_verdict_that_leaves_something_open_is_stored_and_has_no_reward(tools):
    judge = Says(_verdict("abstain"))
    ending = await _ends(tools, judge)
    assert ending.outcome == JudgeUnknown("the judge abstained on 1 of 1 findings")
    assert reward(ending.outcome) is None
    assert ending.verdict == judge.verdict


async def test_an_empty_verdict_is_none(tools):
    assert isinstance((await _ends(tools, Says(Verdict(())))).outcome, JudgeUnknown)


async def test_what_is_missing_is_told(tools):
    claims = (ClaimVerdict("a", "supported"), ClaimVerdict("b", "not_shown"))
    ending = await _ends(tools, Says(_verdict("supported", claims=claims, reference="contradicted")))
    assert ending.outcome == Failure(
        "1 of 1 facts hold; 1 of 2 claims in the answer are not supported; the answer does not match the reference"
    )


async def test_what_the_judge_sees_refused_is_blocked_unless_it_succeeded(tools):
    assert (await _ends(tools, Says(_verdict("not_shown", blocked="a captcha")))).outcome == SiteBlock("a captcha")
    ending = await roll(
        fake_attempt(2),
        FakeEpisodes(lambda _: PlayedAgent([]), Says(_verdict("supported", blocked="a captcha"))),
        tools,
    )
    assert ending.outcome == Success()


@pytest.mark.parametrize(
    ("refused", "outcome"),
    [
        ("", Truncation("steps")),
        ("a captcha", SiteBlock("a captcha")),
        (JudgeError("no reply"), JudgeUnknown("no reply")),
    ],
)
async def test_an_attempt_without_an_answer_is_only_looked_at_for_refusals(tools, refused, outcome):
    judge = Says(_verdict("supported"), refused)
    ending = await _ends(tools, judge, Clicking())
    assert ending.outcome == outcome
    assert (judge.judged, judge.looked) == (0, 1)


async def test_an_attempt_with_an_answer_is_not_looked_at_twice(tools):
    judge = Says(_verdict("supported"), "a captcha")
    assert (await _ends(tools, judge)).outcome == Success()
    assert (judge.judged, judge.looked) == (1, 0)

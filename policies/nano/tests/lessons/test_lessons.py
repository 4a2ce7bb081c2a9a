"""Whoever acts, a lesson says what the oracle would do, and asks what a policy is asked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from policies.nano.tests.lessons.pages import PICTURE, capture, element, line, observation
from tests.hermetic_setups import hermetic_setup, open_setup
from tests.unit.agent.samples import ScriptedPolicy
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import tasks_of

from webgym.errors import ConfigError
from webgym.records.action import Action, Answer, Click, Hover, Point, Scroll, TypeText, Wait
from webgym.records.decision import Decision, MalformedReply
from webgym.records.lesson import Lesson
from webgym.records.observation import Dialog, NoChange, Observation, PageChange
from webgym.records.trajectory import Attempt
from webgym.stages import Agent
from webgym_nano.lessons import lessons as taught
from webgym_nano.lessons.lessons import Lead, LessonAgent, Unsaid

pytestmark = pytest.mark.anyio
SHOP = site("shop", 0)
TASK = next(task for task in tasks_of(SHOP) if task.template == "fill-cart")
HAT, CART = element("Moor hat", (100, 70, 90, 18), href="/7"), element("Add to cart", (100, 200, 90, 30), "button")
SEARCH = element("Search", (100, 8, 120, 30), "input", key="field:q", type="text")
LINES = (line("Moor hat", 100, 70), line("In stock", 100, 100))


def page(sequence: int, effect: PageChange | NoChange | None = PageChange(("content",))) -> Observation:
    return observation((SEARCH, HAT, CART), LINES, sequence=sequence, effect=effect if sequence > 1 else None)


class Oracle:
    """Decides what it is given."""

    def __init__(self, *decisions: Decision) -> None:
        self.decisions = list(decisions)

    def __call__(self, *_: object) -> Decision:
        return self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]


def on(target: object, action: Action | None = None) -> Decision:
    assert isinstance(target, type(HAT))
    assert target.point is not None
    return Decision(action or Click(target.point), target.box)


def agent_with(
    monkeypatch: pytest.MonkeyPatch, decisions: Sequence[Decision], lead: Lead, unsaid: Unsaid | None = None
) -> tuple[LessonAgent, list[Lesson]]:
    monkeypatch.setattr(taught, "decide", Oracle(*decisions))
    given: list[Lesson] = []
    attempt = Attempt("a/1", TASK, seed=3)
    return LessonAgent(hermetic_setup(attempt, SHOP), lead, given.append, unsaid), given


async def test_a_lesson_is_what_the_oracle_says_to_the_prompt_of_an_attempt(monkeypatch: pytest.MonkeyPatch):
    decisions = [on(SEARCH, TypeText("hat", SEARCH.point, submit=True)), on(HAT), Decision(Answer("Done."))]
    agent, given = agent_with(monkeypatch, decisions, Lead(strays=0.0))
    assert isinstance(agent, Agent)
    turns = [await agent.decide(capture(page(number))) for number in (1, 2, 3)]
    assert [one.reply for one in given] == ["Search>s<040><005>hat", "Moor hat>c<036><019>", ">aDone"]
    assert [one.verb for one in given] == ["submit", "click", "answer"]
    assert [one.ask for one in given] == [
        TASK.instruction,
        f"{TASK.instruction}\n\nSearch>s<040><005>hat",
        f"{TASK.instruction}\n\nSearch>s<040><005>hat\nMoor hat>c<036><019>",
    ]
    for turn, lesson in zip(turns, given, strict=True):
        assert turn.prompt is not None
        assert turn.prompt.messages[0].text == lesson.ask
    assert [one.step for one in given] == [1, 2, 3]
    assert all(one.picture == PICTURE and one.site == SHOP.name and one.by == "oracle" for one in given)
    assert all(one.questions for one in given)
    assert given[1].box == (101, 71, 190, 88)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(given), type=list[Lesson]) == given


async def test_strays_are_done_and_told_but_never_taught(monkeypatch: pytest.MonkeyPatch):
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(strays=1.0, steps=12))
    turns = [await agent.decide(capture(page(number))) for number in range(1, 13)]
    done = [turn.choice.call for turn in turns if isinstance(turn.choice, Decision)]
    assert {one.reply for one in given} == {"Moor hat>c<036><019>"}
    assert sum(call != "Moor hat>c<036><019>" for call in done) >= 3
    assert done[7:] == ["Moor hat>c<036><019>"] * 5
    lines = given[3].ask.splitlines()[2:]
    assert len(lines) == 3
    assert lines == [one[: len(line)] for one, line in zip(done[:3], lines, strict=True)]


async def test_a_policy_leads_and_the_oracle_says_what_would_be_right(monkeypatch: pytest.MonkeyPatch):
    policy = ScriptedPolicy("Add to cart>c<036><053>", ">aAll done", "nonsense", "Search>t<040><005>cap")
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(policy=policy, share=1.0))
    turns = [await agent.decide(capture(page(number))) for number in (1, 2, 3, 4)]
    done = [turn.choice.call for turn in turns if isinstance(turn.choice, Decision)]
    # An answer would end the attempt, and nonsense would teach nothing: the oracle acts instead.
    right = "Moor hat>c<036><019>"
    assert done == ["Add to cart>c<036><053>", right, right, "Search>t<040><005>cap"]
    assert [one.reply for one in given] == [right] * 4
    assert [one.by for one in given] == ["policy"] * 4
    assert given[1].ask.endswith("\n\nAdd to cart>c<036><053>")


async def test_a_policy_that_is_stuck_is_helped_on(monkeypatch: pytest.MonkeyPatch):
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(policy=ScriptedPolicy(">d"), share=1.0))
    turns = [await agent.decide(capture(page(number, NoChange()))) for number in (1, 2, 3, 4)]
    done = [turn.choice.call for turn in turns if isinstance(turn.choice, Decision)]
    assert done[:2] == [">d", ">d"]
    assert done[2].startswith("Moor hat")
    assert given[2].ask.endswith("\n\n>d!\n>d!")


async def test_a_reply_that_cannot_be_read_leaves_the_lesson_as_it_was(monkeypatch: pytest.MonkeyPatch):
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(policy=ScriptedPolicy("Hat>c<001>", ">d"), share=1.0))
    first = await agent.decide(capture(page(1)))
    await agent.decide(capture(page(1)))
    assert isinstance(first.choice, MalformedReply)
    assert given[1].ask.endswith("\n\n?")


async def test_what_nano_cannot_say_is_counted_and_ends_an_oracles_attempt(monkeypatch: pytest.MonkeyPatch):
    unsaid = Unsaid()
    agent, given = agent_with(monkeypatch, [Decision(Hover(Point(1, 1)))], Lead(strays=0.0), unsaid)
    turn = await agent.decide(capture(page(1)))
    assert turn.choice == Decision(Answer(""))
    assert (given[0].ask, given[0].reply, given[0].box) == ("", "", None)
    assert given[0].questions
    assert (unsaid.steps, unsaid.kinds) == (1, {"hover": 1})
    agent, given = agent_with(
        monkeypatch, [Decision(Hover(Point(1, 1)))], Lead(policy=ScriptedPolicy(">d"), share=1.0), unsaid
    )
    turn = await agent.decide(capture(page(1)))
    assert isinstance(turn.choice, Decision)
    assert turn.choice.action == Scroll(dy=240)
    assert given[0].reply == ""


async def test_what_covers_the_page_is_closed_when_nothing_comes_of_an_action(monkeypatch: pytest.MonkeyPatch):
    closer = element("Accept all", (350, 270, 80, 30), "button", key="dismiss:cookies")
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(strays=0.0))
    for number in (1, 2, 3):
        seen = observation((HAT, closer), LINES, sequence=number, effect=NoChange() if number > 1 else None)
        await agent.decide(capture(seen))
    right = "Moor hat>c<036><019>"
    assert [one.reply for one in given] == [right, "Accept all>c<097><071>", right]


async def test_an_oracle_that_waits_for_ever_is_not_followed(monkeypatch: pytest.MonkeyPatch):
    unsaid = Unsaid()
    agent, given = agent_with(monkeypatch, [Decision(Wait(0.5))], Lead(strays=0.0), unsaid)
    turns = [await agent.decide(capture(page(number))) for number in (1, 2, 3)]
    assert [one.reply for one in given] == [">w", ">w", ""]
    assert turns[2].choice == Decision(Answer(""))
    assert unsaid.kinds == {"wait": 1}


async def test_there_is_no_lesson_where_there_is_nothing_to_see(monkeypatch: pytest.MonkeyPatch):
    agent, given = agent_with(monkeypatch, [on(HAT)], Lead(strays=0.0))
    dialog = msgspec.structs.replace(page(1), screenshot=None, dialog=Dialog("alert", "Hello"))
    await agent.decide(capture(dialog))
    assert given == []


def test_there_is_no_oracle_on_the_open_web():
    with pytest.raises(ConfigError, match="is not a hermetic site"):
        LessonAgent(open_setup(Attempt("a", TASK)), Lead(), print)

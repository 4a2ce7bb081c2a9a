"""Policies and agents that play what is written."""

from __future__ import annotations

import pytest

from webgym.agent.policies.scripted import ScriptedAgent, ScriptedPolicy
from webgym.errors import PolicyRejected
from webgym.records.action import Answer, Back, Click, Point
from webgym.records.decision import Decision
from webgym.records.observation import Capture, Observation
from webgym.records.prompt import Completion, Message, Prompt, Text
from webgym.stages import Agent, Policy

pytestmark = pytest.mark.anyio
HELLO = Prompt((Message("user", (Text("hello"),)),))
SEEN = Capture(Observation(1, "http://a.example/"))


async def test_each_conversation_hears_the_script_from_the_beginning():
    policy = ScriptedPolicy(["one", Completion("two", finish="length")])
    assert isinstance(policy, Policy)
    for name in ("a", "b"):
        assert (await policy.sample(HELLO, {}, affinity=name)).text == "one"
    assert (await policy.sample(HELLO, {}, affinity="a")).finish == "length"
    with pytest.raises(PolicyRejected, match="2 replies"):
        await policy.sample(HELLO, {}, affinity="a")
    assert (await policy.sample(HELLO, {}, affinity="b")).text == "two"


async def test_a_script_may_start_again():
    policy = ScriptedPolicy(["one", "two"], repeat=True)
    assert [(await policy.sample(HELLO, {})).text for _ in range(3)] == ["one", "two", "one"]
    with pytest.raises(PolicyRejected):
        await ScriptedPolicy([], repeat=True).sample(HELLO, {})


async def test_an_agent_does_what_is_written_and_then_answers():
    agent = ScriptedAgent([Click(Point(1, 2)), Back()], answer="42")
    assert isinstance(agent, Agent)
    turns = [await agent.decide(SEEN) for _ in range(4)]
    assert [turn.choice for turn in turns] == [
        Decision(Click(Point(1, 2))),
        Decision(Back()),
        Decision(Answer("42")),
        Decision(Answer("42")),
    ]

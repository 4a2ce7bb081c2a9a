"""Other replies are sampled where the agent answers, and only there."""

from __future__ import annotations

import pytest
from tests.unit.agent.samples import TASK, capture

from webgym.agent.dialects.registry import dialect_named
from webgym.agent.policies.scripted import ScriptedPolicy
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import VlmAgent
from webgym.records.prompt import Completion, Tokens

pytestmark = pytest.mark.anyio


def said(text: str) -> Completion:
    return Completion(text=text, tokens=Tokens(b"\1\0\0\0", b"\2\0\0\0", b"\0\0\0\0"))


def agent(*replies: str) -> VlmAgent:
    settings = AgentSettings(dialect="nano", prompt="nano-1", branches=3)
    return VlmAgent(TASK, ScriptedPolicy([said(reply) for reply in replies]), dialect_named("nano"), settings)


async def test_an_answer_comes_with_others_to_the_same_prompt_whose_tokens_are_kept_once():
    turn = await agent(">a<001><001>42", ">a<001><001>41", "Save>c<001><001>", "nonsense").decide(capture(1))
    assert [branch.answer for branch in turn.branches] == ["41", None, None]
    kept = [branch.completion.tokens for branch in turn.branches]
    assert [(one.prompt, one.sampled) for one in kept if one] == [(b"", b"\2\0\0\0")] * 3


async def test_an_action_that_does_not_end_the_attempt_has_no_branches():
    turn = await agent("Save>c<001><001>").decide(capture(1))
    assert turn.branches == ()

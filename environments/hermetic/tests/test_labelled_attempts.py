"""Agents that undo what was done."""

from __future__ import annotations

import pytest

from webgym.records.action import Answer, Press
from webgym.records.decision import Decision
from webgym.records.observation import Capture, Observation
from webgym.testing.rollouts import PlayedAgent
from webgym_hermetic.labelled_attempts import ThenOtherwise


@pytest.mark.anyio
async def test_who_changes_their_mind_does_both_and_answers_once():
    agent = ThenOtherwise(PlayedAgent([Press(("a",))], "first"), PlayedAgent([Press(("b",))], "second"))
    capture = Capture(Observation(1, "http://a.localhost/"))
    made = [(await agent.decide(capture)).choice for _ in range(3)]
    assert [one.action for one in made if isinstance(one, Decision)] == [
        Press(("a",)),
        Press(("b",)),
        Answer("second"),
    ]

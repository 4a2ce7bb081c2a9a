"""One suite for every agent: those that play what is written, those that ask a model, and floors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from examples.own_policy import Scroller

from webgym.agent.baselines import DoNothing, PerturbedAgent, RandomClicker
from webgym.agent.dialects.registry import NAMES
from webgym.agent.policies.scripted import ScriptedAgent
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import vlm_agent
from webgym.records.action import Back, Click, Point
from webgym.rng import Rng
from webgym.run.spoken_oracle import SpokenAgent
from webgym.stages import Agent
from webgym.testing.conformance import AGENT_CHECKS, AgentCheck, AgentExample
from webgym.testing.rollouts import PlayedAgent, fake_task
from webgym.testing.training import FakePolicy

pytestmark = pytest.mark.anyio


def asking(dialect: str) -> Callable[[], Agent]:
    """A model that says no action of this dialect."""
    return lambda: vlm_agent(fake_task(), FakePolicy(), AgentSettings(dialect=dialect))


IMPLEMENTATIONS = [
    pytest.param(lambda: PlayedAgent([Click(Point(1, 2)), Back()]), id="fake"),
    pytest.param(lambda: ScriptedAgent([Back()]), id="scripted"),
    pytest.param(DoNothing, id="noop"),
    pytest.param(lambda: RandomClicker(Rng("checked"), 2), id="random"),
    pytest.param(lambda: PerturbedAgent(DoNothing(), Rng("checked"), 1), id="perturbed"),
    pytest.param(
        lambda: SpokenAgent(PlayedAgent([Back(), Click(Point(1, 2))]), fake_task(), AgentSettings(dialect="compact")),
        id="spoken",
    ),
    pytest.param(lambda: vlm_agent(fake_task(), Scroller(), AgentSettings(dialect="compact")), id="scroller"),
    *(pytest.param(asking(name), id=f"mute-{name}") for name in NAMES),
]


@pytest.mark.parametrize("check", AGENT_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("make", IMPLEMENTATIONS)
async def test_it_behaves_like_an_agent(make: Callable[[], Agent], check: AgentCheck):
    await check(make, AgentExample())

"""A pool whose policy servers misbehave: every attempt still ends once, by type and in time, and the pool recovers."""

from __future__ import annotations

import anyio
import pytest

from webgym.agent.policies.served import ServedPolicy
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import look_for, vlm_agent
from webgym.llm.config import ModelConfig, Retries, Timeouts
from webgym.records.event import OperationEnded
from webgym.records.session import SessionSpec
from webgym.records.trajectory import Infrastructure
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import open_pool
from webgym.rollout.roll import roll
from webgym.rollout.run_all import run_all
from webgym.stages import Episode
from webgym.testing.fakes import FakeBrowser
from webgym.testing.policy_faults import Busy, CutShort, Drop, ErrorStatus, Garbage, Stall
from webgym.testing.policy_server import PolicyServer, serving_policy
from webgym.testing.rollouts import EventList, FakeEpisodes, FakeJudge, MemoryRecorder, fake_attempt

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

SETTINGS = AgentSettings(dialect="compact", prompt="bare-1")
FAULTS = (Stall(), Stall("headers"), Drop(), Garbage(), CutShort(), Busy("0"), ErrorStatus(500))


def answering(ask) -> str:
    """Three clicks, then an answer: told from how many replies the prompt shows."""
    said = sum(message["role"] == "assistant" for message in ask.body["messages"])
    return "click 500 500" if said < 3 else 'answer "done"'


class Episodes(FakeEpisodes):
    """Agents that ask a policy."""

    def __init__(self, policy: ServedPolicy) -> None:
        super().__init__(lambda attempt: vlm_agent(attempt.task, policy, SETTINGS), FakeJudge())

    def prepare(self, attempt):
        import contextlib

        outer = super().prepare(attempt)

        @contextlib.asynccontextmanager
        async def episode():
            async with outer as made:
                spec = SessionSpec(start_url=attempt.task.website)
                yield Episode(attempt, spec, look_for(SETTINGS), made.agent, made.judge)

        return episode()


def model(*servers: PolicyServer, tries: int) -> ModelConfig:
    return ModelConfig(
        servers=tuple(server.url for server in servers),
        model="scripted",
        timeouts=Timeouts(connect=2.0, first_byte=2.0, total=4.0, deadline=20.0, probe=1.0),
        retries=Retries(tries=tries, pause=0.05, longest_pause=0.2),
    )


async def attempts(policy: ServedPolicy, count: int, misbehave=None):
    events, recorder, browser = EventList(), MemoryRecorder(), FakeBrowser()
    tools = Tools(browser, Gates(events), recorder, events, Limits(easy=10))
    episodes = Episodes(policy)
    async with open_pool(lambda attempt: roll(attempt, episodes, tools), events, slots=8) as pool:
        async with anyio.create_task_group() as tasks:
            if misbehave:
                tasks.start_soon(misbehave)
            await run_all(pool, [[fake_attempt(number)] for number in range(count)], lambda _: None)
            tasks.cancel_scope.cancel()
        totals = pool.totals
    assert totals.submitted == sum(totals.outcomes.values()) == count == len(recorder.endings)
    assert browser.open_now == 0
    return totals, recorder, events


async def test_servers_that_fail_in_every_way_cost_time_and_no_attempt():
    async with serving_policy(answering) as one, serving_policy(answering) as two:

        async def misbehave() -> None:
            for number in range(1_000):
                (one, two)[number % 2].fail(FAULTS[number % len(FAULTS)], times=3)
                await anyio.sleep(0.5)

        async with ServedPolicy(model(one, two, tries=40)) as policy:
            totals, recorder, _ = await attempts(policy, 40, misbehave)
    assert totals.outcomes["success"] == 40
    assert all(len(steps) == 4 for steps in recorder.steps.values())


@pytest.mark.parametrize(
    "fault",
    [pytest.param(one, marks=pytest.mark.full) if isinstance(one, Stall) else one for one in FAULTS],
    ids=lambda fault: repr(fault)[:20],
)
async def test_a_server_that_is_gone_is_infrastructure_and_told_and_a_server_that_is_back_is_used(fault):
    async with serving_policy(answering) as server, ServedPolicy(model(server, tries=2)) as policy:
        server.fail(fault)
        totals, recorder, events = await attempts(policy, 2)
        assert totals.outcomes["infrastructure"] == 2
        causes = {ending.outcome.cause for ending in recorder.endings.values()}
        assert all(isinstance(ending.outcome, Infrastructure) for ending in recorder.endings.values())
        assert causes == {"policy_unavailable"}
        told = {event.error for event in events.events if isinstance(event, OperationEnded) and event.error}
        assert told == {"policy_unavailable"}
        server.mend()
        totals, _, _ = await attempts(policy, 4)
        assert totals.outcomes["success"] == 4

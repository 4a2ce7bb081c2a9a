"""The environment of lessons: hermetic sites, a fleet and a pool of attempts, without storage."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Step
from webgym.rollout.limits import Limits
from webgym.rollout.pool import Pool, open_pool
from webgym.run.config import BrowserConfig, PoolConfig, RunConfig, TasksConfig
from webgym.run.episodes import MakeAgent, Players, exact_judge
from webgym.run.resources import open_resources
from webgym.run.wiring import wired
from webgym.telemetry.events import EventBus
from webgym_nano.lessons.agent_settings import LOOK, VIEWPORT

_WALL_SECONDS = 300.0
_TRIES = 2


class _Forgetful:
    """A recorder that stores nothing: lessons are emitted during attempts."""

    async def begin(self, attempt: Attempt) -> None:
        """Do nothing."""

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        """Do nothing."""

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        """Do nothing."""


@asynccontextmanager
async def open_stage(
    agent: MakeAgent, tasks: Sequence[Task], *, sessions: int, nodes: int, per_family: int, steps: int
) -> AsyncGenerator[Pool]:
    """Open a pool of attempts by this agent, judged by the sites, for the duration of the block.

    Args:
        agent: Creates the agent of an attempt.
        tasks: Some of the tasks to be attempted.
        sessions: Concurrent sessions.
        nodes: Processes to spread them over.
        per_family: Sites per family.
        steps: Maximum steps of an attempt.
    """
    config = RunConfig(
        tasks=TasksConfig(sites_per_family=per_family),
        browser=BrowserConfig(sessions=sessions, nodes=nodes, width=VIEWPORT.width, height=VIEWPORT.height),
        limits=Limits(easy=steps, medium=steps, hard=steps, wall_seconds=_WALL_SECONDS),
        pool=PoolConfig(tries=_TRIES),
    )
    async with open_resources(config) as resources:
        attempts, events = await resources.attempts(tasks), EventBus()
        roll = wired(config, attempts, Players(agent, LOOK, exact_judge), _Forgetful(), events)
        async with open_pool(roll, events, slots=sessions, backlog=2 * sessions) as pool:
            yield pool

"""What a run stands on: sessions, and the hermetic sites if its tasks are there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.errors import ConfigError
from webgym.pipeline.hermetic.ground import hermetic_ground
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.scenes import HERMETIC
from webgym.records.task import Task
from webgym.sites.control.client import SitesControl


@dataclass(frozen=True, slots=True)
class RunGround:
    """Where a run takes place."""

    browser: BrowserClient
    control: SitesControl | None
    fleet: Fleet | None
    """None if it is someone else's."""


@asynccontextmanager
async def ground_for(config: RunConfig, tasks: Iterable[Task]) -> AsyncGenerator[RunGround]:
    """Start, or connect to, what these tasks need.

    Raises:
        ConfigError: Hermetic tasks on a fleet that does not know the sites.
    """
    hermetic = any((urlsplit(task.website).hostname or "").endswith(HERMETIC) for task in tasks)
    browser = config.browser
    if hermetic:
        if browser.url:
            raise ConfigError("hermetic tasks run on a fleet of the run's own: leave browser.url empty")
        async with hermetic_ground(browser.sessions, config.tasks.sites_per_family, nodes=browser.nodes) as ground:
            yield RunGround(ground.browser, ground.control, ground.fleet)
    elif browser.url:
        async with connect(browser.url) as client:
            await client.status()
            yield RunGround(client, None, None)
    else:
        nodes = [NodeConfig(max_sessions=-(-browser.sessions // browser.nodes))] * browser.nodes
        async with run_fleet(GatewayConfig(port=0), nodes, log_style="quiet") as fleet:
            await fleet.wait_ready()
            async with connect(fleet.url, token=fleet.token) as client:
                yield RunGround(client, None, fleet)

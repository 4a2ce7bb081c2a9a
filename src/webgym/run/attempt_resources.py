"""What the attempts of a run share: the environment, opened, and a browser fleet that reaches it."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.environments.registry import environment_named
from webgym.records.environment import Egress, Faults
from webgym.records.observation import Viewport
from webgym.records.session import SessionSpec
from webgym.records.task import Task
from webgym.run.config import BrowserConfig, RunConfig
from webgym.run.session import SessionConfig, session_spec
from webgym.run.session_trial import check_opens
from webgym.stages import AttemptTerms, BrowserCheck, Environment, EnvironmentNeeds, RunningEnvironment


@dataclass(frozen=True, slots=True)
class AttemptResources:
    """The browser fleet and the environment of a run."""

    browser: BrowserClient
    environment: RunningEnvironment
    fleet: Fleet | None
    """The fleet started for this run; None if it uses a running one."""
    spec: SessionSpec
    """Options common to all sessions."""

    def terms(self, config: RunConfig) -> AttemptTerms:
        """Return the conditions of this run's attempts."""
        return AttemptTerms(self.spec, Faults(**config.faults.model_dump()))


def environment_of(config: RunConfig) -> Environment:
    """Return the environment of a run, not yet opened.

    Raises:
        ConfigError: There is none of this name, or it does not take these options.
    """
    return environment_named(config.env.use, config.env.options)


def common_spec(browser: BrowserConfig) -> SessionSpec:
    """Return the options common to all sessions of a run.

    Raises:
        ConfigError: A file or environment variable that they name does not exist.
    """
    return session_spec(browser.session, Viewport(browser.width, browser.height))


@asynccontextmanager
async def attempt_resources(
    config: RunConfig, tasks: Sequence[Task], environment: Environment | None = None
) -> AsyncGenerator[AttemptResources]:
    """Open the environment for these tasks, and start or connect to the fleet.

    Raises:
        ConfigError: The environment cannot be opened, the fleet does not reach it, or the browser rejects the session
            options.
    """
    browser = config.browser
    spec = common_spec(browser)
    needs = EnvironmentNeeds(
        tasks, browser.sessions, config.tasks.sites_per_family, fleet=not browser.url, address=browser.sites
    )
    async with (
        (environment or environment_of(config)).open(needs) as running,
        open_fleet(browser, running.egress) as (client, fleet),
    ):
        # Fail once now, rather than in every attempt.
        if browser.session != SessionConfig():
            await check_opens(client, spec)
        if fleet is None and isinstance(running, BrowserCheck):
            await running.check(client, spec)
        yield AttemptResources(client, running, fleet, spec)


@asynccontextmanager
async def open_fleet(browser: BrowserConfig, egress: Egress) -> AsyncGenerator[tuple[BrowserClient, Fleet | None]]:
    """Connect to the fleet of `browser.url`, or start one whose sessions reach what the environment serves."""
    if browser.url:
        async with connect(browser.url, authority=browser.authority) as client:
            await client.status()
            yield client, None
        return
    policy = EgressConfig(hermetic=egress.routes, allow=tuple(dict.fromkeys((*browser.allow, *egress.allow))))
    chromium = ChromiumConfig(headed=browser.headed, egress=policy)
    node = NodeConfig(max_sessions=math.ceil(browser.sessions / browser.nodes), chromium=chromium)
    async with run_fleet(GatewayConfig(port=0), [node] * browser.nodes, log_style="quiet") as fleet:
        await fleet.wait_ready()
        async with connect(fleet.url, token=fleet.token) as client:
            yield client, fleet

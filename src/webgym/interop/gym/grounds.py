"""Where episodes run: an environment opened here with a fleet that reaches it, or running ones."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webgym.browser.client import connect
from webgym.interop.gym.config import EnvConfig
from webgym.interop.gym.task_sampler import sampler_for
from webgym.run.attempt_resources import open_fleet
from webgym.run.config import BrowserConfig
from webgym.stages import Browser, EnvironmentNeeds, RunningEnvironment

DEFAULT_SESSIONS = 16


@dataclass(frozen=True, slots=True)
class EpisodeGround:
    """What episodes need."""

    browser: Browser
    environment: RunningEnvironment


def room(config: EnvConfig, seats: int) -> int:
    """Return the capacity of a fleet started for this many concurrent episodes."""
    return config.sessions or max(DEFAULT_SESSIONS, seats)


@asynccontextmanager
async def ground_of(config: EnvConfig, seats: int = 1) -> AsyncGenerator[EpisodeGround]:
    """Open the ground that the options name, for the duration of the block.

    Raises:
        ConfigError, TransportError: It cannot be started or reached.
    """
    needs = EnvironmentNeeds(
        tasks=sampler_for(config).examples(),
        attempts=room(config, seats),
        fleet=not config.fleet,
        address=config.sites,
        token=config.token,
    )
    async with config.environment().open(needs) as running:
        if config.fleet:
            async with connect(config.fleet, token=config.token) as browser:
                await browser.status()
                yield EpisodeGround(browser, running)
        else:
            async with open_fleet(BrowserConfig(sessions=needs.attempts), running.egress) as (browser, _):
                yield EpisodeGround(browser, running)

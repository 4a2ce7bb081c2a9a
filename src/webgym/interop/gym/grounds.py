"""Where episodes take place: sites and a fleet started here, or those that run elsewhere."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from webgym.browser.client import connect
from webgym.browser.tokens import load_tokens
from webgym.interop.gym.config import EnvConfig
from webgym.pipeline.hermetic.ground import hermetic_ground
from webgym.sites.control.client import SitesControl, connect_sites
from webgym.stages import Browser

DEFAULT_SESSIONS = 16


class EpisodeGround(Protocol):
    """What episodes need. `hermetic_ground` gives it, among other things."""

    @property
    def browser(self) -> Browser:
        """Gives out sessions that reach the sites."""
        ...

    @property
    def control(self) -> SitesControl:
        """The sites' control plane."""
        ...


@dataclass(frozen=True, slots=True)
class RemoteGround:
    """Sites and a fleet that run elsewhere."""

    browser: Browser
    control: SitesControl


def room(config: EnvConfig, seats: int) -> int:
    """Sessions of the fleet that is started for so many episodes at once."""
    return config.sessions or max(DEFAULT_SESSIONS, seats)


@asynccontextmanager
async def ground_of(config: EnvConfig, seats: int = 1) -> AsyncGenerator[EpisodeGround]:
    """What the options name, while the block lasts.

    Raises:
        ConfigError, TransportError: It cannot be started, or does not answer.
    """
    if not config.fleet:
        async with hermetic_ground(room(config, seats)) as ground:
            yield ground
        return
    token = config.token or os.environ.get("WEBGYM_TOKEN") or load_tokens().client
    async with connect(config.fleet, token=token) as browser, connect_sites(config.sites, token) as control:
        await browser.status()
        await control.status()
        yield RemoteGround(browser, control)

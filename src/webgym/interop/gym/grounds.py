"""Where episodes take place: sites and a fleet started here, or those that run elsewhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

from webgym.interop.gym.config import EnvConfig
from webgym.pipeline.hermetic.ground import hermetic_ground
from webgym.pipeline.hermetic.remote_ground import remote_ground
from webgym.sites.control.client import SitesControl
from webgym.stages import Browser

DEFAULT_SESSIONS = 16


class EpisodeGround(Protocol):
    """What episodes need. `hermetic_ground` and `remote_ground` give it."""

    @property
    def browser(self) -> Browser:
        """Gives out sessions that reach the sites."""
        ...

    @property
    def control(self) -> SitesControl:
        """The sites' control plane."""
        ...


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
    async with remote_ground(config.fleet, config.sites, token=config.token) as ground:
        yield ground

"""Where episodes run: on sites and a fleet started here, or on remote ones."""

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
    """What episodes need. Implemented by `hermetic_ground` and `remote_ground`."""

    @property
    def browser(self) -> Browser:
        """Opens sessions that reach the sites."""
        ...

    @property
    def control(self) -> SitesControl:
        """Client of the sites' control plane."""
        ...


def room(config: EnvConfig, seats: int) -> int:
    """Return the capacity of a fleet started for this many concurrent episodes."""
    return config.sessions or max(DEFAULT_SESSIONS, seats)


@asynccontextmanager
async def ground_of(config: EnvConfig, seats: int = 1) -> AsyncGenerator[EpisodeGround]:
    """Open the ground that the options name, for the duration of the block.

    Raises:
        ConfigError, TransportError: It cannot be started or reached.
    """
    if not config.fleet:
        async with hermetic_ground(room(config, seats)) as ground:
            yield ground
        return
    async with remote_ground(config.fleet, config.sites, token=config.token) as ground:
        yield ground

"""Hermetic sites, and a fleet that reaches them, which somebody else has started."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webgym.browser.client import BrowserClient, connect
from webgym.browser.tokens import load_tokens
from webgym.sites.control.client import SitesControl, connect_sites


@dataclass(frozen=True, slots=True)
class RemoteGround:
    """Sites and a fleet that run elsewhere."""

    browser: BrowserClient
    control: SitesControl


@asynccontextmanager
async def remote_ground(
    fleet: str, sites: str, *, token: str = "", authority: str = ""
) -> AsyncGenerator[RemoteGround]:
    """What answers at these addresses, while the block lasts.

    Args:
        fleet: Its gateway.
        sites: Their control plane.
        token: Of both; `WEBGYM_TOKEN` or this user's own by default.
        authority: Certificate authority with which the fleet's certificates are checked; the system's by default.

    Raises:
        AuthError, TransportError: One does not answer, or does not know the token.
    """
    token = token or os.environ.get("WEBGYM_TOKEN") or load_tokens().client
    async with (
        connect(fleet, token=token, authority=authority) as browser,
        connect_sites(sites, token) as control,
    ):
        await browser.status()
        await control.status()
        yield RemoteGround(browser, control)

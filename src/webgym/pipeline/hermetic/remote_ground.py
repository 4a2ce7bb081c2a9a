"""Connects to hermetic sites and a fleet that are already running."""

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
    """Connect to these addresses for the duration of the block.

    Args:
        fleet: URL of the fleet's gateway.
        sites: URL of the sites' control plane.
        token: Token for both; by default `WEBGYM_TOKEN`, else the user's own.
        authority: Certificate authority for the fleet's certificates; by default the system's.

    Raises:
        AuthError, TransportError: One does not answer, or rejects the token.
    """
    token = token or sites_token()
    async with (
        connect(fleet, token=token, authority=authority) as browser,
        connect_sites(sites, token) as control,
    ):
        await browser.status()
        await control.status()
        yield RemoteGround(browser, control)


def sites_token() -> str:
    """Return the token of `WEBGYM_TOKEN`, else the user's own."""
    return os.environ.get("WEBGYM_TOKEN") or load_tokens().client

"""Fleets for tests: real processes, on ports of their own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.browser.tokens import FleetTokens

FAKE = "webgym.testing.fakes:FakeBrowser"
TOKENS = FleetTokens("client-secret", "join-secret")


@asynccontextmanager
async def fleet_of(
    *, browser: str = FAKE, gateway: GatewayConfig | None = None, **node: Any
) -> AsyncGenerator[tuple[Fleet, BrowserClient]]:
    """One gateway and one node, ready, and a client of theirs."""
    config = NodeConfig(browser=browser, **{"max_sessions": 8, "sessions_per_worker": 4, **node})
    async with run_fleet(gateway or GatewayConfig(port=0), [config], tokens=TOKENS) as fleet:
        await fleet.wait_ready()
        async with connect(fleet.url, token=fleet.token) as client:
            yield fleet, client

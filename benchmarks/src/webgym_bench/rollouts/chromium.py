"""Real sessions for the benchmark: a local fleet, and a local server of light pages."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.stages import Browser
from webgym_bench.pages.server import Pages
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.pages import light_pages


@asynccontextmanager
async def chromium_sessions(conditions: Conditions) -> AsyncGenerator[tuple[Browser, Pages]]:
    """Start a fleet with a session for every open attempt, and the pages they visit."""
    from webgym.browser.client import connect  # noqa: PLC0415  only where it is measured
    from webgym.browser.server.supervise import run_fleet  # noqa: PLC0415

    async with light_pages(conditions) as pages:
        chromium = ChromiumConfig(egress=EgressConfig(allow=(pages.host,)))
        # Steps mostly wait for pages, so no step should wait for another's page.
        node = NodeConfig(
            max_sessions=conditions.attempts_open, active_steps=conditions.attempts_open, chromium=chromium
        )
        async with run_fleet(GatewayConfig(port=0), [node]) as fleet:
            await fleet.wait_ready()
            async with connect(fleet.url, token=fleet.token) as browser:
                yield browser, pages

"""Real sessions for the benchmark: our fleet on this machine, and light pages on this machine too."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webgym.bench.pages.server import Pages
from webgym.bench.rollouts.conditions import Conditions
from webgym.bench.rollouts.pages import light_pages
from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.stages import Browser


@asynccontextmanager
async def chromium_sessions(conditions: Conditions) -> AsyncGenerator[tuple[Browser, Pages]]:
    """A fleet with room for every attempt, and the pages that its sessions visit."""
    from webgym.browser.client import connect  # noqa: PLC0415  only where it is measured
    from webgym.browser.server.supervise import run_fleet  # noqa: PLC0415

    async with light_pages(conditions) as pages:
        chromium = ChromiumConfig(egress=EgressConfig(allow=(pages.host,)))
        # Steps here wait for pages far more than they compute: none should wait for another's page.
        node = NodeConfig(
            max_sessions=conditions.attempts_open, active_steps=conditions.attempts_open, chromium=chromium
        )
        async with run_fleet(GatewayConfig(port=0), [node]) as fleet:
            await fleet.wait_ready()
            async with connect(fleet.url, token=fleet.token) as browser:
                yield browser, pages

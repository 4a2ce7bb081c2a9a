"""Our fleet on this machine: a gateway and a node with its workers, accessed over HTTP like any fleet."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.stages import Browser
from webgym_bench.conditions import Conditions
from webgym_bench.pages.server import Pages
from webgym_bench.systems.system import System


@asynccontextmanager
async def _start(
    pages: Pages, conditions: Conditions, *, headed: bool = False, other: bool = False
) -> AsyncGenerator[Browser]:
    from webgym.browser.client import connect  # noqa: PLC0415  only where it is measured
    from webgym.browser.server.supervise import run_fleet  # noqa: PLC0415

    executable = conditions.other_browser if other else ""
    chromium = ChromiumConfig(executable=executable, headed=headed, egress=EgressConfig(allow=(pages.host,)))
    node = NodeConfig(max_sessions=conditions.sessions, chromium=chromium)
    async with run_fleet(GatewayConfig(port=0), [node]) as fleet:
        await fleet.wait_ready()
        async with connect(fleet.url, token=fleet.token) as browser:
            yield browser


FLEET = System("fleet", _start, "gateway, node and workers; a context per session; one round trip per step")
HEADED = System("headed", partial(_start, headed=True), "the same, with a full Chromium's windows on a display")
OTHER = System("other", partial(_start, other=True), "the fleet on another browser, that of --other-browser")

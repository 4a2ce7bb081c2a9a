"""Our sessions without a fleet. The difference to `fleet` is the overhead of gateway, node and wire protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.stages import Browser
from webgym_bench.conditions import Conditions
from webgym_bench.pages.server import Pages
from webgym_bench.systems.system import System


@asynccontextmanager
async def _start(pages: Pages, conditions: Conditions) -> AsyncGenerator[Browser]:  # noqa: ARG001  as all systems
    from webgym.browser.server.chromium.browser import ChromiumBrowser  # noqa: PLC0415  only where it is measured

    async with ChromiumBrowser(ChromiumConfig(egress=EgressConfig(allow=(pages.host,)))) as browser:
        yield browser


IN_PROCESS = System("inprocess", _start, "our sessions in the client's own process, without gateway and node")

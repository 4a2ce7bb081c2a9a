"""The systems that are compared: our fleet, and plain Playwright with two of its usual waits."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.stages import Browser
from webgym_bench.settle.conditions import Conditions
from webgym_bench.settle.playwright_session import fixed, network_idle, playwright_browser

OURS = "webgym"
NETWORK_IDLE = "networkidle"


@dataclass(frozen=True)
class Side:
    """A provider of sessions. All its processes descend from this one, so that they can be measured."""

    name: str
    about: str
    start: Callable[[Conditions], AbstractAsyncContextManager[Browser]]


def sides(conditions: Conditions) -> tuple[Side, ...]:
    """Return the systems to compare, ours first."""
    ours = Side(OURS, "our fleet: gateway, node and workers", our_fleet)
    if not conditions.against:
        return (ours,)
    seconds = conditions.fixed_seconds
    return (
        ours,
        Side(
            NETWORK_IDLE,
            "plain Playwright, wait_for_load_state('networkidle')",
            lambda _: playwright_browser(network_idle),
        ),
        Side(
            f"fixed {seconds:g} s",
            f"plain Playwright, wait_for_load_state('load') and {seconds:g} s more",
            lambda _: playwright_browser(fixed(seconds)),
        ),
    )


@asynccontextmanager
async def our_fleet(conditions: Conditions) -> AsyncGenerator[Browser]:
    """Run our fleet for the duration of the block; its sessions may reach the start pages' hosts."""
    from webgym.browser.client import connect  # noqa: PLC0415  only where it is measured
    from webgym.browser.server.supervise import run_fleet  # noqa: PLC0415

    chromium = ChromiumConfig(egress=EgressConfig(allow=conditions.hosts))
    node = NodeConfig(max_sessions=conditions.sessions, chromium=chromium)
    async with run_fleet(GatewayConfig(port=0), [node]) as fleet:
        await fleet.wait_ready()
        async with connect(fleet.url, token=fleet.token) as browser:
            yield browser

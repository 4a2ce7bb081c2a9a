"""Short ways to say what tests of sessions do all the time."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from tests.integration.pages_server import Pages

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.records.action import Action, Click, Navigate, Point
from webgym.records.observation import Observation
from webgym.records.session import Look, SessionSpec
from webgym.stages import Session

QUICK = Look(screenshot=None, settle_seconds=5.0)
"""Settles, but takes no picture."""


@dataclass
class Driver:
    """A session, one observation at a time."""

    session: Session

    async def do(self, action: Action | None = None, look: Look = QUICK) -> Observation:
        return (await self.session.step(action, look)).observation

    async def go(self, url: str, look: Look = QUICK) -> Observation:
        return await self.do(Navigate(url), look)

    async def until_titled(self, start: str, url: str) -> str:
        """The title of a page whose script says with it that it is done: a promise may outlive the page's rest."""
        seen = await self.go(url)
        with anyio.fail_after(20):
            while not seen.title.startswith(start):
                await anyio.sleep(0.1)
                seen = await self.do()
        return seen.title

    async def click(self, x: int = 50, y: int = 20, look: Look = QUICK) -> Observation:
        return await self.do(Click(Point(x, y)), look)


@asynccontextmanager
async def driving(browser: ChromiumBrowser, **spec) -> AsyncGenerator[Driver]:
    async with browser.open(SessionSpec(**spec)) as session:
        yield Driver(session)


def config_for(*sites: Pages, **options) -> ChromiumConfig:
    allowed = tuple(address for site in sites for address in site.allowed)
    return ChromiumConfig(egress=EgressConfig(allow=allowed), **options)


AREA = "position:absolute;left:0;top:0;width:200px;height:40px"
"""Style of what is to be where `Driver.click` clicks."""


def link(href: str, attributes: str = "") -> str:
    return f"<a href='{href}' style='{AREA}' {attributes}>go</a>"


def button(script: str, text: str = "press") -> str:
    code = script.replace('"', "&quot;")
    return f'<button style="{AREA}" onclick="{code}">{text}</button>'

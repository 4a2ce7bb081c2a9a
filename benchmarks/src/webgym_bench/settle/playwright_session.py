"""Plain Playwright with its usual waits: one Chromium, a context per session, no code of ours between the two."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import anyio
from playwright.async_api import Browser as Playwrights
from playwright.async_api import Error, Page, ViewportSize, async_playwright
from playwright.async_api import TimeoutError as Timeout

from webgym.errors import BrowserFault
from webgym.records.action import Action, Back, Click, Navigate, Point, Scroll, Target, TypeText
from webgym.records.observation import Blob, Capture, Observation, address_of
from webgym.records.session import Look, SessionSpec
from webgym.stages import Browser, Session
from webgym_bench.baseline_browser import headless_shell

Rest = Callable[[Page, Look], Coroutine[Any, Any, bool]]
"""Waits after an action; returns whether what it waited for came."""
_LOAD_SECONDS = 30.0


class PlaywrightSession:
    """One page."""

    def __init__(self, page: Page, rest: Rest) -> None:
        self._page = page
        self._rest = rest
        self._sequence = 0

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Act, wait, take a picture."""
        try:
            settled = True
            if action is not None:
                await self._act(action)
                settled = await self._rest(self._page, look)
            data = await self._picture(look)
            title = await self._page.title()
        except Error as error:
            raise BrowserFault(error.message.splitlines()[0]) from error
        self._sequence += 1
        blob = Blob(address_of(data), f"image/{look.screenshot}", len(data))
        seen = Observation(self._sequence, self._page.url, title, screenshot=blob, settled=settled)
        return Capture(seen, {blob.address: data})

    async def blob(self, address: str) -> bytes:
        """Raise: captures are not retained."""
        raise BrowserFault(f"no blob is stored under {address}")

    async def _picture(self, look: Look) -> bytes:
        if look.screenshot == "png":
            return await self._page.screenshot(type="png")
        return await self._page.screenshot(type="jpeg", quality=look.quality)

    async def _act(self, action: Action) -> None:
        page = self._page
        match action:
            case Navigate(url=url):
                await page.goto(url)
            case Back():
                await page.go_back()
            case Click(target=target):
                await page.mouse.click(*_point(target))
            case TypeText(text=text, target=target) if target:
                await page.mouse.click(*_point(target))
                await page.keyboard.press("Control+A")
                await page.keyboard.type(text)
            case Scroll(dx=dx, dy=dy, target=target) if target:
                await page.mouse.move(*_point(target))
                await page.mouse.wheel(dx, dy)
            case _:
                raise BrowserFault(f"no tour has such an action: {action}")


class PlaywrightBrowser:
    """One Chromium that all sessions share."""

    def __init__(self, browser: Playwrights, rest: Rest) -> None:
        self._browser = browser
        self._rest = rest

    @asynccontextmanager
    async def open(self, spec: SessionSpec) -> AsyncGenerator[Session]:
        """Open a context with one page."""
        size = ViewportSize(width=spec.viewport.width, height=spec.viewport.height)
        state = json.loads(spec.storage_state) if spec.storage_state else None
        context = await self._browser.new_context(viewport=size, storage_state=state)
        try:
            page = await context.new_page()
            page.set_default_timeout(_LOAD_SECONDS * 1000)
            yield PlaywrightSession(page, self._rest)
        finally:
            with anyio.CancelScope(shield=True):
                await context.close()


async def network_idle(page: Page, look: Look) -> bool:
    """Wait until there was no connection for half a second."""
    try:
        await page.wait_for_load_state("networkidle", timeout=look.settle_seconds * 1000)
    except Timeout:
        return False
    return True


def fixed(seconds: float) -> Rest:
    """Return a wait for the load event and then for this long."""

    async def rest(page: Page, look: Look) -> bool:
        with contextlib.suppress(Timeout):
            await page.wait_for_load_state("load", timeout=look.settle_seconds * 1000)
        await anyio.sleep(seconds)
        return True

    return rest


@asynccontextmanager
async def playwright_browser(rest: Rest) -> AsyncGenerator[Browser]:
    """Run Playwright and the Chromium that our sessions use, for the duration of the block."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=headless_shell(), chromium_sandbox=os.geteuid() != 0, handle_sigint=False
        )
        try:
            yield PlaywrightBrowser(browser, rest)
        finally:
            with anyio.CancelScope(shield=True):
                await browser.close()


def _point(target: Target) -> tuple[int, int]:
    if not isinstance(target, Point):
        raise BrowserFault("a tour does not use marks")
    return target.x, target.y

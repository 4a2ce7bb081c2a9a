"""A tab of a real Chromium with the injected scripts, and pages of the test's own to act on."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
from aiohttp import web
from playwright.async_api import Page, async_playwright

from webgym.browser.server.chromium.executable import find_executable
from webgym.browser.server.chromium.inject import init_script
from webgym.browser.server.chromium.marks import collect
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.action import MarkRef
from webgym.records.observation import Viewport

HUB = "__test_hub"
VIEWPORT = Viewport(width=1000, height=700)


@asynccontextmanager
async def serving(pages: Mapping[str, str]) -> AsyncIterator[int]:
    """A server of pages by host and path (`a/frame` is http://a.localhost:port/frame); yields its port."""
    port = 0

    async def answer(request: web.Request) -> web.Response:
        host = request.host.split(":")[0].removesuffix(".localhost")
        html = pages.get(f"{host}{request.path}")
        if html is None:
            return web.Response(status=404)
        return web.Response(text=html.replace("PORT", str(port)), content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield port
    finally:
        await runner.cleanup()


@asynccontextmanager
async def chromium_running() -> AsyncIterator[Any]:
    async with async_playwright() as playwright:
        # Frames of other sites get processes of their own, which they do not in every build by default.
        browser = await playwright.chromium.launch(
            executable_path=find_executable() or None, args=["--site-per-process"]
        )
        try:
            yield browser
        finally:
            await browser.close()


class PlaywrightLine:
    """A line to a page of a browser that Playwright alone speaks to."""

    def __init__(self, session: Any) -> None:
        self.send = session.send
        self.on = session.on
        self.remove_listener = session.remove_listener

    async def send_all(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        await asyncio.gather(*(self.send(method, params) for method, params in calls))


@asynccontextmanager
async def tab_of(browser: Any) -> AsyncIterator[TabHandle]:
    context = await browser.new_context(viewport={"width": VIEWPORT.width, "height": VIEWPORT.height})
    try:
        await context.add_init_script(init_script(HUB, None, started_milliseconds=0))
        page = await context.new_page()
        cdp: Any = PlaywrightLine(await context.new_cdp_session(page))
        yield TabHandle(page=page, cdp=cdp, viewport=VIEWPORT, hub=HUB)
    finally:
        await context.close()


@asynccontextmanager
async def showing(tab: TabHandle, pages: Mapping[str, str] | str) -> AsyncIterator[Page]:
    """The tab on a page: the only one, or `a/` of several."""
    several = {"a/": pages} if isinstance(pages, str) else pages
    async with serving(several) as port:
        await tab.page.goto(f"http://a.localhost:{port}/")
        # The browser routes input by what has been drawn.
        for frame in tab.page.frames:
            await frame.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield tab.page


@asynccontextmanager
async def over(tab: TabHandle, page: Page) -> AsyncIterator[TabHandle]:
    """Another page of the same context, as a tab."""
    cdp: Any = PlaywrightLine(await page.context.new_cdp_session(page))
    yield TabHandle(page=page, cdp=cdp, viewport=tab.viewport, hub=tab.hub)


async def until(read: Callable[[], Any], wanted: Any = True) -> None:
    """Wait for the page to get there; say what it was instead if it does not."""
    seen: Any = None
    with anyio.move_on_after(5):
        while True:
            seen = read()
            seen = await seen if inspect.isawaitable(seen) else seen
            if seen == wanted:
                return
            await anyio.sleep(0.02)
    assert seen == wanted


async def mark_named(tab: TabHandle, name: str) -> MarkRef:
    """The mark of that name, collected now."""
    marks = await collect(tab)
    return next(MarkRef(mark.mark) for mark in marks if mark.name == name)

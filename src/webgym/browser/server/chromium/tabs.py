"""The open tabs of a session: their numbers, which one is active, which ones are new."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import anyio
from playwright.async_api import BrowserContext, Error, Page

from webgym.browser.server.chromium.settle import PageState
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.switchboard import Line
from webgym.browser.server.chromium.tab import TabHandle
from webgym.browser.server.chromium.tab_events import TabEvents
from webgym.records.observation import Tab, Viewport

CLOSE_SECONDS = 5.0
ANSWER_SECONDS = 2.0
"""For a new window to say that it will tell of itself."""
NEWS_SECONDS = 1.0
"""For Playwright to say that a page was closed, of which an error was the first sign."""
LineTo = Callable[[Page], Coroutine[Any, Any, Line]]
Spawn = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
"""Runs something beside the step, as long as the session lasts."""


@dataclass(eq=False, slots=True)
class OpenTab:
    """A tab and what is known of it."""

    number: int
    handle: TabHandle
    events: TabEvents
    crashed: bool = False
    _state: PageState | None = None
    _document: int = 0

    @property
    def gone(self) -> bool:
        # The line hears of it first: Playwright takes its time to say so.
        return self.crashed or self.handle.cdp.closed or self.handle.page.is_closed()

    @property
    def state(self) -> PageState | None:
        """As of the latest look at the document that is there now; None if there was none."""
        return self._state if self._document == self.events.documents else None

    @state.setter
    def state(self, state: PageState) -> None:
        self._state, self._document = state, self.events.documents


class Tabs:
    """Follows pages as a person at the screen would: what opens comes to the front, what closes gives way."""

    def __init__(
        self,
        context: BrowserContext,
        line_to: LineTo,
        *,
        viewport: Viewport,
        hub: str,
        most: int,
        signals: Signals,
        spawn: Spawn,
    ) -> None:
        self._context = context
        self._line_to = line_to
        self._viewport = viewport
        self.hub = hub
        self._most = max(1, most)
        self._signals = signals
        self._spawn = spawn
        self._open: list[OpenTab] = []
        self._arrivals: list[Page] = []
        self._expected = 0
        self._opening = False
        self._numbers = 0
        self.active: OpenTab | None = None
        self.on_download: Callable[[dict[str, Any]], None] = lambda _: None
        context.on("page", self._on_page)

    @property
    def current(self) -> OpenTab:
        """The active tab, once there is one."""
        if self.active is None:
            raise LookupError("no tab is open")
        return self.active

    @property
    def full(self) -> bool:
        return len(self._open) + len(self._arrivals) >= self._most

    @property
    def expecting(self) -> bool:
        """Whether a window has been opened that has not come up yet."""
        return self._expected > 0 and not self._arrivals and not self.full

    @property
    def arrived(self) -> bool:
        return bool(self._arrivals)

    def stop_expecting(self) -> None:
        """Windows that were blocked, or whose server is silent, are not waited for again."""
        self._expected = 0

    def is_empty(self, tab: OpenTab) -> bool:
        """Whether a tab beside others has never shown anything."""
        return len(self._open) > 1 and tab.events.commits == 0 and tab.handle.page.url in ("", "about:blank")

    def get(self, number: int) -> OpenTab | None:
        return next((tab for tab in self._open if tab.number == number), None)

    def numbers(self) -> tuple[int, ...]:
        return tuple(tab.number for tab in self._open)

    def records(self) -> tuple[Tab, ...]:
        return tuple(_record(tab, active=tab is self.active) for tab in self._open)

    async def open_blank(self) -> OpenTab:
        """A new tab in front."""
        self._opening = True
        try:
            page = await self._context.new_page()
        finally:
            self._opening = False
        if page in self._arrivals:
            self._arrivals.remove(page)
        return await self._adopt(page)

    async def follow(self) -> bool:
        """Take in the pages that came up, the last one in front; whether there were any."""
        followed = False
        while self._arrivals:
            page = self._arrivals[0]
            try:
                await self._adopt(page)
                followed = True
            except Error:
                if not await _closes(page):
                    raise
            finally:
                self._arrivals.remove(page)
                self._expected = max(0, self._expected - 1)
        return followed

    async def ensure(self) -> OpenTab:
        """The active tab; another one or a blank one in its place if it was closed. One that crashed stays."""
        await self.follow()
        for tab in [tab for tab in self._open if tab.gone and not (tab.crashed and tab is self.active)]:
            self._drop(tab)
        if self.active is None:
            self.active = self._open[-1] if self._open else await self.open_blank()
        return self.active

    async def activate(self, tab: OpenTab) -> None:
        """Bring a tab to the front."""
        self.active = tab
        await tab.handle.cdp.send("Page.bringToFront")

    async def close(self, tab: OpenTab) -> None:
        """Close a tab without asking its page; another one, or a blank one, comes to the front."""
        self._drop(tab)
        await _close(tab.handle.page)
        await self.ensure()

    async def replace(self, tab: OpenTab) -> OpenTab:
        """A blank tab with the same number, in place of one that cannot be used any more."""
        self._drop(tab)
        self._spawn(lambda: _close(tab.handle.page))
        blank = await self.open_blank()
        blank.number = tab.number
        self._open.sort(key=lambda tab: tab.number)
        return blank

    def _drop(self, tab: OpenTab) -> None:
        if tab in self._open:
            self._open.remove(tab)
        if self.active is tab:
            self.active = None

    async def _adopt(self, page: Page) -> OpenTab:
        cdp = await self._line_to(page)
        events = TabEvents(self._signals.nudge, self._expect, self.on_download)
        await events.attach(cdp)
        # A window that begins with a dialog, or with a script without end, does not answer yet, and is a tab too.
        with self._signals.attempt(ANSWER_SECONDS):
            await cdp.send("Page.enable")
        self._numbers += 1
        tab = OpenTab(self._numbers, TabHandle(page, cdp, self._viewport, self.hub), events)
        page.on("crash", lambda _: self._on_crash(tab))
        page.on("close", lambda _: self._signals.nudge())
        self._open.append(tab)
        self.active = tab
        return tab

    def _expect(self) -> None:
        self._expected += 1
        self._signals.nudge()

    def _on_page(self, page: Page) -> None:
        if self.full and not self._opening:
            self._expected = max(0, self._expected - 1)
            self._spawn(lambda: _close(page))
        else:
            self._arrivals.append(page)
        self._signals.nudge()

    def _on_crash(self, tab: OpenTab) -> None:
        tab.crashed = True
        self._signals.nudge()


async def _close(page: Page) -> None:
    with anyio.move_on_after(CLOSE_SECONDS):
        try:
            await page.close()
        except Error:
            return  # closed by itself meanwhile


async def _closes(page: Page) -> bool:
    with contextlib.suppress(Error):  # it was closed before, or is not closed at all
        await page.wait_for_event("close", timeout=NEWS_SECONDS * 1000)
    return page.is_closed()


def _record(tab: OpenTab, *, active: bool) -> Tab:
    state = tab.state
    url = tab.events.unreachable or (state.url if state and active else tab.handle.page.url)
    return Tab(tab=tab.number, url=url, title=state.title if state else "", active=active)

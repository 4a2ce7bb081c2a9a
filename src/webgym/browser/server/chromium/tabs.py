"""The open tabs of a session: their numbers, the active one, and newly opened ones."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import anyio
from playwright.async_api import BrowserContext, Error, Page

from webgym.browser.server.chromium.settle import PageState
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.switchboard import ENDED, Line
from webgym.browser.server.chromium.tab import TabHandle
from webgym.browser.server.chromium.tab_events import TabEvents
from webgym.records.observation import Tab, Viewport

CLOSE_SECONDS = 5.0
ANSWER_SECONDS = 2.0
"""Timeout for `Page.enable` in a new window."""
NEWS_SECONDS = 1.0
"""How long to wait for Playwright's close event, after a first error that suggests it."""
_WITHOUT_FILTERS = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, ::before, ::after {
    filter: none !important; backdrop-filter: none !important; mix-blend-mode: normal !important
  }`);
  document.adoptedStyleSheets.push(sheet);
})()"""
LineTo = Callable[[Page], Coroutine[Any, Any, Line]]
Spawn = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
"""Starts a background task."""


@dataclass(eq=False, slots=True)
class OpenTab:
    """An open tab and its state."""

    number: int
    handle: TabHandle
    events: TabEvents
    crashed: bool = False
    offence: str = ""
    """Why it was ended, if it was because of what it did to the browser. It then counts as crashed too."""
    _state: PageState | None = None
    _document: int = 0

    @property
    def gone(self) -> bool:
        # The CDP line learns of it before Playwright reports it.
        return self.crashed or self.handle.cdp.closed or self.handle.page.is_closed()

    @property
    def state(self) -> PageState | None:
        """Latest known state of the current document; None if it has not been queried yet."""
        return self._state if self._document == self.events.documents else None

    @state.setter
    def state(self, state: PageState) -> None:
        self._state, self._document = state, self.events.documents


class Tabs:
    """Follows pages as a user would see them: a new window comes to the front, a closed one gives way to another."""

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
        self.offences = 0
        """Number of pages that were ended because of what they did to the browser."""
        self.on_download: Callable[[dict[str, Any]], None] = lambda _: None
        context.on("page", self._on_page)

    @property
    def current(self) -> OpenTab:
        """The active tab; `LookupError` if there is none."""
        if self.active is None:
            raise LookupError("no tab is open")
        return self.active

    @property
    def full(self) -> bool:
        return len(self._open) + len(self._arrivals) >= self._most

    @property
    def expecting(self) -> bool:
        """Whether a window was opened whose page has not appeared yet."""
        return self._expected > 0 and not self._arrivals and not self.full

    @property
    def arrived(self) -> bool:
        return bool(self._arrivals)

    def stop_expecting(self) -> None:
        """Stop waiting for windows that were blocked or whose server does not respond."""
        self._expected = 0

    def is_empty(self, tab: OpenTab) -> bool:
        """Return whether a tab, not the only one, has never loaded anything."""
        return len(self._open) > 1 and tab.events.commits == 0 and tab.handle.page.url in ("", "about:blank")

    def get(self, number: int) -> OpenTab | None:
        return next((tab for tab in self._open if tab.number == number), None)

    def numbers(self) -> tuple[int, ...]:
        return tuple(tab.number for tab in self._open)

    def records(self) -> tuple[Tab, ...]:
        return tuple(_record(tab, active=tab is self.active) for tab in self._open)

    async def open_blank(self) -> OpenTab:
        """Open a blank tab in front."""
        self._opening = True
        try:
            page = await self._context.new_page()
        finally:
            self._opening = False
        if page in self._arrivals:
            self._arrivals.remove(page)
        return await self._adopt(page)

    async def follow(self) -> bool:
        """Adopt newly opened pages, the last one in front; return whether there were any."""
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
        """Return the active tab, or another or blank one if it was closed. A crashed one stays."""
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
        """Close a tab without running its beforeunload handlers; another or a blank one comes to the front."""
        self._drop(tab)
        await _close(tab.handle.page)
        await self.ensure()

    async def replace(self, tab: OpenTab) -> OpenTab:
        """Replace an unusable tab with a blank one of the same number."""
        self._drop(tab)
        self._spawn(lambda: _close(tab.handle.page))
        blank = await self.open_blank()
        blank.number = tab.number
        self._open.sort(key=lambda tab: tab.number)
        return blank

    async def draw_plainly(self) -> None:
        """Draw the session's future documents without filters, because one kept the browser from drawing others."""
        with anyio.move_on_after(ANSWER_SECONDS), contextlib.suppress(Error):
            await self._context.add_init_script(_WITHOUT_FILTERS)

    def _drop(self, tab: OpenTab) -> None:
        if tab in self._open:
            self._open.remove(tab)
        if self.active is tab:
            self.active = None

    async def _adopt(self, page: Page) -> OpenTab:
        cdp = await self._line_to(page)
        events = TabEvents(self._signals.nudge, self._expect, self.on_download)
        await events.attach(cdp)
        # A window that a dialog or an endless script blocks from the start does not respond yet, but is a tab too.
        with self._signals.attempt(ANSWER_SECONDS):
            await cdp.send("Page.enable")
        self._numbers += 1
        tab = OpenTab(self._numbers, TabHandle(page, cdp, self._viewport, self.hub), events)
        cdp.on(ENDED, lambda params: self._on_end(tab, params["why"]))
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

    def _on_end(self, tab: OpenTab, why: str) -> None:
        tab.offence = why
        self.offences += 1
        self._on_crash(tab)

    def _on_crash(self, tab: OpenTab) -> None:
        tab.crashed = True
        self._signals.nudge()


async def _close(page: Page) -> None:
    with anyio.move_on_after(CLOSE_SECONDS):
        try:
            await page.close()
        except Error:
            return  # already closed


async def _closes(page: Page) -> bool:
    with contextlib.suppress(Error):  # closed before the wait began, or not closed at all
        await page.wait_for_event("close", timeout=NEWS_SECONDS * 1000)
    return page.is_closed()


def _record(tab: OpenTab, *, active: bool) -> Tab:
    state = tab.state
    url = tab.events.unreachable or (state.url if state and active else tab.handle.page.url)
    return Tab(tab=tab.number, url=url, title=state.title if state else "", active=active)

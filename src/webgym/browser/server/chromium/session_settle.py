"""Settling a session across documents that replace each other, windows that open and downloads that begin."""

from __future__ import annotations

import anyio
import msgspec
from playwright.async_api import Error

from webgym.browser.server.chromium.downloads import Downloads
from webgym.browser.server.chromium.settle import DocumentGone, PageState, ask, ask_frames
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab, Tabs

GRACE_SECONDS = 4.0
"""A page that has not responded this long after its deadline is considered hung."""
TURN_SECONDS = 0.02
MOST_LATE_QUESTIONS = 3
"""Maximum number of queries past the deadline, so that a document that arrives late still gets a state."""
FRAMES_AT_REST_SECONDS = 0.15
"""Frames that respond sooner than this had nothing to wait for."""


class PageHangs(Exception):
    """The page does not respond."""


class SessionSettler:
    """Waits for the consequences of an action, in whichever tab and document they end."""

    def __init__(self, tabs: Tabs, downloads: Downloads, signals: Signals) -> None:
        self._tabs = tabs
        self._downloads = downloads
        self._signals = signals

    async def settle(self, step: int, seconds: float, *, downloads_before: int) -> bool:
        """Return whether the active tab settled in time. Its state is stored in the tab.

        Returns False early if a dialog opens or the tab goes away.

        Raises:
            PageHangs: The page does not respond.
        """
        deadline = anyio.current_time() + seconds
        late_questions = 0
        while True:
            if await self._tabs.follow():
                continue
            tab = self._tabs.current
            await self._load(tab, deadline)
            state = await self._ask(tab, step, deadline)
            if self._signals.blocked:
                return False
            if state is not None:
                tab.state = state
            if anyio.current_time() >= deadline:
                if state is not None or late_questions == MOST_LATE_QUESTIONS:
                    return state is not None and self._is_quiet(tab, state)
                late_questions += 1
            if state is None:
                await anyio.sleep(TURN_SECONDS)
            elif not await self._follows(tab, downloads_before, deadline):
                settled = await self._frames(tab, state, step, deadline)
                if settled is not None:
                    return settled

    async def _load(self, tab: OpenTab, deadline: float) -> None:
        if tab.events.busy and anyio.current_time() < deadline:  # events are cheaper than queries
            await self._signals.until(lambda: not tab.events.busy, deadline)
            tab.events.gave_up_loading = tab.events.loading and not tab.events.navigating

    async def _ask(self, tab: OpenTab, step: int, deadline: float) -> PageState | None:
        """Query the document's state; None if it was replaced meanwhile or the session is blocked."""
        seconds = max(0.0, deadline - anyio.current_time())
        documents = tab.events.documents
        with self._signals.attempt(seconds + GRACE_SECONDS):
            try:
                state = await ask(tab.handle, step, seconds)
            except DocumentGone:
                return None
            except Error:
                if not self._signals.blocked:
                    raise
                return None
            # The event that announces a new document may overtake the reply of the old one.
            return state if tab.events.documents == documents else None
        if self._signals.blocked:
            return None
        raise PageHangs

    async def _follows(self, tab: OpenTab, downloads_before: int, deadline: float) -> bool:
        """Wait for a pending navigation, window or download; return whether there was one."""
        if tab.events.navigating:
            await self._signals.until(lambda: not tab.events.navigating, deadline)
            return True
        if self._tabs.expecting:
            if not await self._signals.until(lambda: self._tabs.arrived, deadline):
                self._tabs.stop_expecting()
            return True
        if self._tabs.arrived:
            return True
        if self._downloads.started > downloads_before and self._tabs.is_empty(tab):
            await self._tabs.close(tab)  # the window was opened only for the download
            return True
        if self._downloads.unfinished(downloads_before):
            await self._signals.until(lambda: not self._downloads.unfinished(downloads_before), deadline)
            return True
        return False

    async def _frames(self, tab: OpenTab, state: PageState, step: int, deadline: float) -> bool | None:
        """Return whether cross-origin frames have settled too; None if they caused further changes."""
        if not state.now.far:
            return state.settled
        began = anyio.current_time()
        settled, moved = await ask_frames(tab.handle, step, max(0.0, deadline - began))
        if anyio.current_time() - began > FRAMES_AT_REST_SECONDS:
            # Meanwhile they may have changed or replaced the main document.
            again = await self._ask(tab, step, deadline)
            if again is None:
                return None
            state = again
        if tab.state is None or tab.events.navigating or self._tabs.expecting or self._tabs.arrived:
            return None
        tab.state = msgspec.structs.replace(state, elsewhere=moved)
        return state.settled and settled

    def _is_quiet(self, tab: OpenTab, state: PageState) -> bool:
        return state.settled and not tab.events.navigating and not self._tabs.expecting

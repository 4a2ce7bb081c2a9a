"""Letting a session come to rest: documents that replace each other, windows that open, downloads that begin."""

from __future__ import annotations

import anyio
import msgspec
from playwright.async_api import Error

from webgym.browser.server.chromium.downloads import Downloads
from webgym.browser.server.chromium.settle import DocumentGone, PageState, ask, ask_frames
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab, Tabs

GRACE_SECONDS = 4.0
"""A page that has not answered this long after the deadline it was given keeps its thread busy."""
TURN_SECONDS = 0.02
MOST_LATE_QUESTIONS = 3
"""A document that arrives as the time runs out is at least asked what it is."""
FRAMES_AT_REST_SECONDS = 0.15
"""Frames that answer sooner had nothing to wait for."""


class PageHangs(Exception):
    """The page does not answer."""


class SessionSettler:
    """Waits for what an action set off, in whichever tab and document it ends."""

    def __init__(self, tabs: Tabs, downloads: Downloads, signals: Signals) -> None:
        self._tabs = tabs
        self._downloads = downloads
        self._signals = signals

    async def settle(self, step: int, seconds: float, *, downloads_before: int) -> bool:
        """Whether the active tab came to rest in time. Its state is kept in the tab.

        Returns early, with False, if a dialog opens or the tab goes away.

        Raises:
            PageHangs: The page does not answer.
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
        if tab.events.busy and anyio.current_time() < deadline:  # it costs less to be told than to ask
            await self._signals.until(lambda: not tab.events.busy, deadline)
            tab.events.gave_up_loading = tab.events.loading and not tab.events.navigating

    async def _ask(self, tab: OpenTab, step: int, deadline: float) -> PageState | None:
        """None if the document was replaced meanwhile, or nothing can be asked now."""
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
            # The answer of a document can be overtaken by the news that another one is in its place.
            return state if tab.events.documents == documents else None
        if self._signals.blocked:
            return None
        raise PageHangs

    async def _follows(self, tab: OpenTab, downloads_before: int, deadline: float) -> bool:
        """Wait for what is known to come next; whether there was anything."""
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
            await self._tabs.close(tab)  # a window that was opened only for the download
            return True
        if self._downloads.unfinished(downloads_before):
            await self._signals.until(lambda: not self._downloads.unfinished(downloads_before), deadline)
            return True
        return False

    async def _frames(self, tab: OpenTab, state: PageState, step: int, deadline: float) -> bool | None:
        """Whether the frames of other origins are at rest too; None if more has followed from what they did."""
        if not state.now.far:
            return state.settled
        began = anyio.current_time()
        settled, moved = await ask_frames(tab.handle, step, max(0.0, deadline - began))
        if anyio.current_time() - began > FRAMES_AT_REST_SECONDS:
            # What they did meanwhile may have reached the main document, or replaced it.
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

"""Settling a session across documents that replace each other, windows that open and downloads that begin."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
import msgspec
from playwright.async_api import Error

from webgym.browser.server.chromium.downloads import Downloads
from webgym.browser.server.chromium.lateness import Limit
from webgym.browser.server.chromium.settle import DocumentGone, PageState, ask, ask_frames, knows_frames, outlive
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab, Tabs

GRACE_SECONDS = 4.0
"""A page that has not responded this long after its deadline is considered hung."""
TURN_SECONDS = 0.02
MOST_LATE_QUESTIONS = 3
"""Maximum number of queries past the deadline, so that a document that arrives late still gets a state."""
FRAMES_AT_REST_SECONDS = 0.15
"""Frames that respond sooner than this had nothing to wait for."""
FRAME_NEWS_SECONDS = 1.0
MOST_PENDING = 4
MOST_HOST = 60


class PageHangs(Exception):
    """The page does not respond."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Whether a session has settled, and what it was waiting for if it has not."""

    settled: bool
    pending: tuple[str, ...] = ()


class SessionSettler:
    """Waits for the consequences of an action, in whichever tab and document they end."""

    def __init__(self, tabs: Tabs, downloads: Downloads, signals: Signals) -> None:
        self._tabs = tabs
        self._downloads = downloads
        self._signals = signals
        self._met: tuple[float, int] | None = None

    async def settle(self, step: int, seconds: float, *, downloads_before: int) -> Rest:
        """Return whether the active tab settled in time. Its state is stored in the tab.

        Has not settled, early, if a dialog opens or the tab goes away.

        Raises:
            PageHangs: The page does not respond.
        """
        limit = Limit(seconds)
        late_questions = 0
        while True:
            # What the agent will see has to settle, and the action may have opened or closed the tab it sees.
            if await self._tabs.follow():
                continue
            tab = self._tabs.current
            await self._load(tab, limit)
            state = await self._ask(tab, step, limit)
            if self._signals.blocked:
                return Rest(settled=False)
            # Kept though it may not have settled: when the time is up, the page is observed as it is.
            if state is not None:
                tab.state = state
            if limit.reached:
                if self._is_over(tab, state, limit, late_questions):
                    return await self._end(tab, state)
                late_questions += 1
                state = None  # to be asked for again, in the time that was added or though there is none left
            if state is None:
                await anyio.sleep(TURN_SECONDS)
            elif not await self._follows(tab, downloads_before, limit.deadline):
                rest = await self._frames(tab, state, step, limit)
                if rest is not None:
                    return rest

    async def _load(self, tab: OpenTab, limit: Limit) -> None:
        if not tab.events.busy or (limit.reached and not limit.extend()):
            return
        while True:  # events are cheaper than queries
            await self._signals.until(lambda: not tab.events.busy, limit.deadline)
            if not tab.events.busy or self._signals.blocked or not limit.extend():
                break
        tab.events.gave_up_loading = tab.events.loading and not tab.events.navigating

    async def _ask(self, tab: OpenTab, step: int, limit: Limit) -> PageState | None:
        """Query the document's state; None if it was replaced meanwhile or the session is blocked."""
        seconds = limit.seconds
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
        if self._signals.blocked or limit.extend(GRACE_SECONDS):
            return None
        raise PageHangs

    async def _follows(self, tab: OpenTab, downloads_before: int, deadline: float) -> bool:
        """Wait for a pending navigation, window or download; return whether there was one."""
        # The document cannot know what began outside it: the browser's own events tell.
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

    async def _frames(self, tab: OpenTab, state: PageState, step: int, limit: Limit) -> Rest | None:
        """Return whether cross-origin frames have settled too; None if they caused further changes."""
        if not state.now.far:
            return Rest(state.settled, state.pending[:MOST_PENDING])
        await self._meet(tab, state)
        began = anyio.current_time()
        far = await ask_frames(tab.handle, step, limit.seconds)
        if anyio.current_time() - began > FRAMES_AT_REST_SECONDS:
            # Meanwhile they may have changed or replaced the main document.
            again = await self._ask(tab, step, limit)
            if again is None:
                return None
            state = again
        if tab.state is None or tab.events.navigating or self._tabs.expecting or self._tabs.arrived:
            return None
        tab.state = msgspec.structs.replace(state, elsewhere=far.moved)
        return Rest(state.settled and far.settled, (state.pending + far.pending)[:MOST_PENDING])

    async def _meet(self, tab: OpenTab, state: PageState) -> None:
        """Wait, once for a document and its frames, until their documents are known, so that they can be asked."""
        met = (state.now.doc, state.now.far)
        if met == self._met:
            return
        deadline = anyio.current_time() + FRAME_NEWS_SECONDS
        while not knows_frames(tab.handle, state.now.far) and anyio.current_time() < deadline:
            if self._signals.blocked:
                return
            await anyio.sleep(TURN_SECONDS)
        self._met = met

    def _is_over(self, tab: OpenTab, state: PageState | None, limit: Limit, late_questions: int) -> bool:
        """Return whether to stop waiting; otherwise, another document is to come or the time has been extended."""
        if state is None:
            return late_questions == MOST_LATE_QUESTIONS
        return self._is_quiet(tab, state) or not limit.extend(state.late / 1000)

    async def _end(self, tab: OpenTab, state: PageState | None) -> Rest:
        """Stop waiting."""
        if state is not None and self._is_quiet(tab, state):
            return Rest(settled=True)
        pending = self._pending(tab, state)
        # What outlasted a whole wait is taken for endless, or each later step would wait as long for it.
        with self._signals.attempt(GRACE_SECONDS):
            await outlive(tab.handle)
        return Rest(settled=False, pending=pending)

    def _pending(self, tab: OpenTab, state: PageState | None) -> tuple[str, ...]:
        what = [
            *([f"navigation to {_host(tab.events.destination)}"] if tab.events.navigating else []),
            *(["window"] if self._tabs.expecting else []),
            *(state.pending if state else ["document"]),
        ]
        return tuple(what[:MOST_PENDING]) or ("drawing",)

    def _is_quiet(self, tab: OpenTab, state: PageState) -> bool:
        return state.settled and not tab.events.navigating and not self._tabs.expecting


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc[:MOST_HOST] or "another page"
    except ValueError:
        return "another page"

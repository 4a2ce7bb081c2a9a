"""Navigation: loading URLs, and moving through a tab's history."""

from __future__ import annotations

from typing import Any, Protocol

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.address import BLANK, clean
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab
from webgym.records.observation import ActionFailure, FailedReason, NoChange

STOP_SECONDS = 2.0


class Proxy(Protocol):
    """The parts of the session's proxy that navigation and observation use."""

    port: int

    @property
    def refused(self) -> int: ...
    def refusal_of(self, url: str) -> str | None: ...
    def failure_of(self, url: str) -> object: ...


class Navigator:
    """Navigates tabs. Every method returns once the new document is committed, without waiting for it to settle."""

    def __init__(self, signals: Signals, proxy: Proxy) -> None:
        self._signals = signals
        self._proxy = proxy

    async def load(self, tab: OpenTab, written: str, seconds: float) -> ActionFailure | None:
        """Load a URL."""
        url = clean(written)
        if isinstance(url, ActionFailure):
            return url
        cdp = tab.handle.cdp
        reply: dict[str, Any] = {}
        with self._signals.attempt(seconds) as scope:
            try:
                reply = await cdp.send("Page.navigate", {"url": url})
            except Error as error:
                if tab.gone:
                    return None
                return ActionFailure(FailedReason.NAVIGATION, error.message.splitlines()[0])
        if scope.cancelled_caught:
            return await self._timed_out(tab, url, seconds) if scope.deadline <= anyio.current_time() else None
        if reply.get("isDownload"):
            return None
        return self.failure(url, reply.get("errorText", ""))

    async def traverse(self, tab: OpenTab, by: int, seconds: float) -> ActionFailure | NoChange | None:
        """Go back (-1) or forward (1) in the tab's history."""
        cdp = tab.handle.cdp
        history = await cdp.send("Page.getNavigationHistory")
        entries, index = history["entries"], history["currentIndex"] + by
        if not 0 <= index < len(entries) or (index == 0 and entries[0]["url"] == BLANK):
            return NoChange("there is no earlier page" if by < 0 else "there is no later page")
        target = entries[index]
        return await self._await_commit(
            tab, target["url"], seconds, "Page.navigateToHistoryEntry", {"entryId": target["id"]}
        )

    async def reload(self, tab: OpenTab, seconds: float) -> ActionFailure | NoChange | None:
        """Reload the current page, or the URL that could not be reached."""
        return await self._await_commit(tab, tab.events.unreachable or tab.handle.page.url, seconds, "Page.reload", {})

    def failure(self, url: str, error: str = "") -> ActionFailure | None:
        """Return why the URL that was just requested could not be loaded; None if no failure is known."""
        if refusal := self._proxy.refusal_of(url):
            return ActionFailure(FailedReason.EGRESS_REFUSED, refusal)
        if failure := self._proxy.failure_of(url):
            return ActionFailure(FailedReason.NAVIGATION, getattr(failure, "reason", "") or error)
        return ActionFailure(FailedReason.NAVIGATION, error) if error and error != "net::ERR_ABORTED" else None

    async def _await_commit(
        self, tab: OpenTab, url: str, seconds: float, method: str, params: dict[str, Any]
    ) -> ActionFailure | None:
        cdp = tab.handle.cdp
        before = tab.events.commits
        deadline = anyio.current_time() + seconds
        tab.events.navigating = True  # reset by the commit of a document, or by the end of loading without one
        with self._signals.attempt(seconds) as scope:
            await cdp.send(method, params)
        if not scope.cancelled_caught:
            await self._signals.until(lambda: tab.events.commits > before or not tab.events.navigating, deadline)
        if anyio.current_time() >= deadline:
            return await self._timed_out(tab, url, seconds)
        return self.failure(url, "the page could not be loaded" if tab.events.unreachable else "")

    async def _timed_out(self, tab: OpenTab, url: str, seconds: float) -> ActionFailure:
        cdp = tab.handle.cdp
        with anyio.move_on_after(STOP_SECONDS):
            await cdp.send("Page.stopLoading")
        return ActionFailure(FailedReason.NAVIGATION, f"no answer from {url[:200]} in {seconds:.0f} s")

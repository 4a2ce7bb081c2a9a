"""CDP events of a tab: its navigations, and the windows and downloads it opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webgym.browser.server.chromium.switchboard import Line

Params = dict[str, Any]


class TabEvents:
    """Tracks the navigation of a tab's main frame from CDP events.

    A navigation started by a click is known here before any later evaluation in the page returns, though not always
    before it is sent. A new document may be known here before the reply of the one that it replaced arrives.
    """

    def __init__(
        self, nudge: Callable[[], None], on_window: Callable[[], None], on_download: Callable[[Params], None]
    ) -> None:
        self._nudge = nudge
        self._on_window = on_window
        self._on_download = on_download
        self._main = ""
        self._coming = False
        """Whether the browser has started to navigate to another document."""
        self.context = ""
        """Browser context id of the session."""
        self.navigating = False
        self.destination = ""
        """URL of the latest navigation."""
        self.loading = False
        self.gave_up_loading = False
        """Whether loading this document once exceeded the deadline; it is not waited for again."""
        self.documents = 0
        """Number of documents so far."""
        self.commits = 0
        """Number of documents and same-document navigations so far."""
        self.unreachable = ""
        """The URL in whose place an error page is shown; empty if there is none."""

    async def attach(self, cdp: Line) -> None:
        """Subscribe to the events, which begin once `Page.enable` has been sent on the line."""
        listeners = {
            "Page.frameRequestedNavigation": self._requested,
            "Page.frameStartedNavigating": self._started,
            "Page.frameStartedLoading": self._started_loading,
            "Page.frameNavigated": self._navigated,
            "Page.navigatedWithinDocument": self._within,
            "Page.frameStoppedLoading": self._stopped,
            "Page.windowOpen": self._opened,
            "Page.downloadWillBegin": self._on_download,
        }
        for name, listener in listeners.items():
            cdp.on(name, listener)
        info = await cdp.send("Target.getTargetInfo")
        self._main = info["targetInfo"]["targetId"]  # also the id of the main frame
        self.context = info["targetInfo"]["browserContextId"]

    @property
    def busy(self) -> bool:
        """Whether a navigation is pending or the document is still loading."""
        return self.navigating or (self.loading and not self.gave_up_loading)

    def _requested(self, params: Params) -> None:
        match params.get("disposition", "currentTab"):
            case "currentTab" if params["frameId"] == self._main:
                self.destination = params.get("url", "")
                self._set_navigating(True)
            case "newTab" | "newWindow":  # by a modifier key or the middle button, without a `windowOpen`
                self._on_window()
            case _:
                return

    def _started(self, params: Params) -> None:
        if params["frameId"] == self._main and "ameDocument" not in params.get("navigationType", ""):
            self._coming = True
            self.destination = params.get("url", "")
            self._set_navigating(True)

    def _started_loading(self, params: Params) -> None:
        if params["frameId"] == self._main:
            self.loading = True

    def _navigated(self, params: Params) -> None:
        frame = params["frame"]
        if frame.get("parentId"):
            return
        self._main = frame["id"]
        self.unreachable = frame.get("unreachableUrl", "")
        self.gave_up_loading = False
        self.documents += 1
        self.commits += 1
        self._arrived()

    def _within(self, params: Params) -> None:
        if params["frameId"] == self._main:
            self.commits += 1
            self._set_navigating(self._coming)  # same-document navigations do not cancel a pending document

    def _stopped(self, params: Params) -> None:
        # Also when the response was a download or had no content, and the old document stays.
        if params["frameId"] == self._main:
            self.loading = False
            self._arrived()

    def _opened(self, _: Params) -> None:
        self._on_window()

    def _arrived(self) -> None:
        self._coming = False
        self._set_navigating(False)

    def _set_navigating(self, value: bool) -> None:
        self.navigating = value
        self._nudge()

"""What the browser says about one tab without being asked: navigations and windows it opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webgym.browser.server.chromium.switchboard import Line

Params = dict[str, Any]


class TabEvents:
    """The navigation of a tab's main frame, from the browser's own events.

    A navigation that a click began is known here before any later question to the page is answered, though not always
    before it is asked; the next document may be known here before the answer of the one that it replaced.
    """

    def __init__(
        self, nudge: Callable[[], None], on_window: Callable[[], None], on_download: Callable[[Params], None]
    ) -> None:
        self._nudge = nudge
        self._on_window = on_window
        self._on_download = on_download
        self._main = ""
        self._coming = False
        """Whether another document is on its way, as far as the browser has said so."""
        self.context = ""
        """What the browser calls the context of the session."""
        self.navigating = False
        self.loading = False
        self.gave_up_loading = False
        """Whether this document once took longer to load than there was time: it is not waited for again."""
        self.documents = 0
        """So far."""
        self.commits = 0
        """Documents and in-document navigations so far."""
        self.unreachable = ""
        """The address of which an error page is shown instead; empty if none is."""

    async def attach(self, cdp: Line) -> None:
        """Start listening, to what is told once the line's `Page.enable` is carried out."""
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
        self._main = info["targetInfo"]["targetId"]  # the main frame has the same
        self.context = info["targetInfo"]["browserContextId"]

    @property
    def busy(self) -> bool:
        """Whether a document is on its way or still loading."""
        return self.navigating or (self.loading and not self.gave_up_loading)

    def _requested(self, params: Params) -> None:
        if params["frameId"] == self._main and params.get("disposition", "currentTab") == "currentTab":
            self._set_navigating(True)

    def _started(self, params: Params) -> None:
        if params["frameId"] == self._main and "ameDocument" not in params.get("navigationType", ""):
            self._coming = True
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
            self._set_navigating(self._coming)  # a step inside the page does not keep the next page from coming

    def _stopped(self, params: Params) -> None:
        # Also when an answer was a download or had no content, and the old document stays.
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

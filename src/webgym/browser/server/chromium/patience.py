"""Ends a step that a page does not let end, before its caller's deadline ends the session."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager

import anyio

from webgym.browser.server.chromium import recovery
from webgym.browser.server.chromium.process import Chromium
from webgym.browser.server.chromium.tabs import Tabs

STEP_SECONDS = 30.0
"""Of a step without a deadline."""
RESCUE_SECONDS = 7.0
"""To find out whether the page is to blame, to open a blank one, and to observe it."""
REPLACE_SECONDS = RESCUE_SECONDS - recovery.INTERRUPT_SECONDS - 0.5
"""The part of it for the blank one; what is left is for the reply to reach the caller."""
LEAST_SECONDS = 15.0
"""Deadlines shorter than this leave no time for a rescue."""
LATE_SECONDS = 1.5
"""A capture that takes longer than this may be held up by another page."""


class Patience:
    """How long a session waits for its page. One per session."""

    def __init__(self, tabs: Tabs, chromium: Chromium) -> None:
        self._tabs = tabs
        self._chromium = chromium
        self._seeing_since = math.inf
        """When the capture in progress began."""
        self.unseen = 0
        """Number of captures in this step that did not come in time."""

    @contextmanager
    def seeing(self) -> Generator[None]:
        """Wrap a capture."""
        self._seeing_since = anyio.current_time()
        try:
            yield
        finally:
            self._seeing_since = math.inf

    async def guard(self, begun: float, step: anyio.CancelScope) -> None:
        """Have pages ended that hold up all others; cancel the step at the last moment if its page is to blame."""
        last_moment = _last_moment(begun)
        self.unseen = 0
        while True:
            left = last_moment - anyio.current_time()
            await anyio.sleep(min(LATE_SECONDS, left) if left > 0 else LATE_SECONDS)
            late = anyio.current_time() - self._seeing_since >= LATE_SECONDS
            if late:
                await self._chromium.relieve()
            if anyio.current_time() >= last_moment and await self._hangs(late=late):
                step.cancel()
                return

    async def _hangs(self, *, late: bool) -> bool:
        """Return whether the page keeps the step from ending: it cannot be drawn, or its script does not end."""
        tab = self._tabs.active
        if self._chromium.dead or tab is None or tab.gone:
            return False
        return (late and self.unseen > 0) or not await recovery.answers(tab, recovery.INTERRUPT_SECONDS)


def _last_moment(begun: float) -> float:
    """Return when the page of a step that began then must be given up; never, if its deadline is too short for that."""
    deadline = min(anyio.current_effective_deadline(), begun + STEP_SECONDS)
    return deadline - RESCUE_SECONDS if deadline - begun >= LEAST_SECONDS else math.inf

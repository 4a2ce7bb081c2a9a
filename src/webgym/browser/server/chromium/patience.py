"""Ends a step that a page does not let end, before its caller's deadline ends the session."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager

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
        self.unseen = 0
        """Number of captures in this step that did not come in time."""

    def seeing(self) -> AbstractContextManager[None]:
        """Wrap a capture."""
        return self._chromium.capturing(self)

    async def guard(self, begun: float, step: anyio.CancelScope) -> None:
        """Have pages ended that hold up all others; cancel the step at the last moment if its page is to blame."""
        last_moment = _last_moment(begun)
        self.unseen = 0
        while True:
            left = last_moment - anyio.current_time()
            await anyio.sleep(min(LATE_SECONDS, left) if left > 0 else LATE_SECONDS)
            if self in self._chromium.late_captures(LATE_SECONDS):
                await self._chromium.relieve()
            if anyio.current_time() >= last_moment and await self._hangs():
                step.cancel()
                return

    @property
    def alone(self) -> bool:
        """Whether no other session waits for its picture too, which its own page could not be blamed for."""
        return self._chromium.late_captures(LATE_SECONDS) <= {self}

    async def _hangs(self) -> bool:
        """Return whether the page keeps the step from ending: it cannot be drawn, or its script does not end."""
        tab = self._tabs.active
        if self._chromium.dead or tab is None or tab.gone:
            return False
        if self.unseen > 0 and self.alone and self in self._chromium.late_captures(LATE_SECONDS):
            return True
        return not await recovery.answers(tab, recovery.INTERRUPT_SECONDS)


def _last_moment(begun: float) -> float:
    """Return when the page of a step that began then must be given up; never, if its deadline is too short for that."""
    deadline = min(anyio.current_effective_deadline(), begun + STEP_SECONDS)
    return deadline - RESCUE_SECONDS if deadline - begun >= LEAST_SECONDS else math.inf

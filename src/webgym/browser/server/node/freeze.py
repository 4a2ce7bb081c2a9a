"""Detects that this process did not run for a while: stopped by a signal, swapped out, or the machine suspended.

By then the gateway has dropped the node, so its leases must not be served any more. The check runs before each
request, because a process that resumes may see requests before its own timers fire.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import anyio


def _clock() -> float:
    # Unlike CLOCK_MONOTONIC, CLOCK_BOOTTIME also advances while the machine is suspended.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class FreezeGuard:
    """Calls `frozen` once per freeze, before any request is served."""

    def __init__(self, limit_seconds: float, frozen: Callable[[float], None]) -> None:
        self._limit = limit_seconds
        self._frozen = frozen
        self._last = _clock()
        self.lag_seconds = 0.0
        """How late the latest tick was: the event loop lag."""

    def check(self) -> None:
        """Detect a freeze that has just ended."""
        now = _clock()
        silent = now - self._last
        self._last = now
        if silent > self._limit:
            self._frozen(silent)

    async def tick(self, every_seconds: float = 0.25) -> None:
        """Record regularly that the process is running, until cancelled."""
        while True:
            expected = _clock() + every_seconds
            await anyio.sleep(every_seconds)
            self.lag_seconds = max(0.0, _clock() - expected)
            self.check()

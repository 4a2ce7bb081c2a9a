"""Notices that this process did not run for a while: stopped by a signal, swapped out, a suspended machine.

The gateway has then declared the node gone, so its leases must not be served any more. The check runs before each
request, because a woken process may see requests before its own timers.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import anyio


def _clock() -> float:
    # Unlike the monotonic clock, this one goes on while the machine is suspended.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class FreezeGuard:
    """Calls `frozen` once per freeze, before anything else is served."""

    def __init__(self, limit_seconds: float, frozen: Callable[[float], None]) -> None:
        self._limit = limit_seconds
        self._frozen = frozen
        self._last = _clock()
        self.lag_seconds = 0.0
        """How late the latest tick was."""

    def check(self) -> None:
        """Notice a freeze that has just ended."""
        now = _clock()
        silent = now - self._last
        self._last = now
        if silent > self._limit:
            self._frozen(silent)

    async def tick(self, every_seconds: float = 0.25) -> None:
        """Keep the time while the process runs."""
        while True:
            expected = _clock() + every_seconds
            await anyio.sleep(every_seconds)
            self.lag_seconds = max(0.0, _clock() - expected)
            self.check()

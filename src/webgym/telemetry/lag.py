"""Event loop lag: blocking the loop delays every attempt."""

from __future__ import annotations

import time
from collections.abc import Callable

import anyio

_EVERY_SECONDS = 0.25


class LoopLag:
    """Measures how late the event loop wakes a sleeping task."""

    def __init__(self, told: Callable[[float], None]) -> None:
        self._told = told
        self.seconds = 0.0
        """Lag of the last tick."""

    async def tick(self) -> None:
        """Measure the lag periodically. Never returns."""
        while True:
            expected = time.monotonic() + _EVERY_SECONDS
            await anyio.sleep(_EVERY_SECONDS)
            self.seconds = max(0.0, time.monotonic() - expected)
            self._told(self.seconds)

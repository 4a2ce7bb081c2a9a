"""How late an event loop is: whoever blocks it holds up every attempt."""

from __future__ import annotations

import time
from collections.abc import Callable

import anyio

_EVERY_SECONDS = 0.25


class LoopLag:
    """Sleeps a moment, and looks how much later than that it was woken."""

    def __init__(self, told: Callable[[float], None]) -> None:
        self._told = told
        self.seconds = 0.0
        """Lateness of the last tick."""

    async def tick(self) -> None:
        """Look, for ever."""
        while True:
            expected = time.monotonic() + _EVERY_SECONDS
            await anyio.sleep(_EVERY_SECONDS)
            self.seconds = max(0.0, time.monotonic() - expected)
            self._told(self.seconds)

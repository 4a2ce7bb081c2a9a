"""Measure utilisation: of browser slots, an engine, a trainer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Meter:
    """Measures how busy a number of slots is over time.

    Args:
        places: Number of slots.
        clock: Monotonic clock in seconds.
    """

    def __init__(self, places: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self.places = places
        self._clock = clock
        self._count = 0
        self._used = 0.0
        """Slot-seconds in use since the last `lap`."""
        self._seen = self._since = clock()

    @property
    def count(self) -> int:
        """Slots in use now."""
        return self._count

    @contextmanager
    def one(self) -> Generator[None]:
        """Occupy a slot inside the block."""
        self._add()
        self._count += 1
        try:
            yield
        finally:
            self._add()
            self._count -= 1

    def lap(self) -> float:
        """Return the idle share of all slots since the last call."""
        self._add()
        whole = (self._seen - self._since) * self.places
        idle = max(0.0, 1.0 - self._used / whole) if whole > 0 else 0.0
        self._used, self._since = 0.0, self._seen
        return idle

    def _add(self) -> None:
        now = self._clock()
        self._used += (now - self._seen) * min(self._count, self.places)
        self._seen = now

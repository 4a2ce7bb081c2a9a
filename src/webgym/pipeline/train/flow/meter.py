"""How busy something is: slots of browsers, an engine, a trainer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Meter:
    """Counts what is under way, over time.

    Args:
        places: How many can be under way at once.
        clock: Seconds, from anywhere.
    """

    def __init__(self, places: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self.places = places
        self._clock = clock
        self._count = 0
        self._used = 0.0
        """Seconds, of all that was under way together."""
        self._seen = self._since = clock()

    @property
    def count(self) -> int:
        """Under way now."""
        return self._count

    @contextmanager
    def one(self) -> Generator[None]:
        """One more is under way while the block lasts."""
        self._add()
        self._count += 1
        try:
            yield
        finally:
            self._add()
            self._count -= 1

    def lap(self) -> float:
        """Share of its places that were idle since this was last asked."""
        self._add()
        whole = (self._seen - self._since) * self.places
        idle = max(0.0, 1.0 - self._used / whole) if whole > 0 else 0.0
        self._used, self._since = 0.0, self._seen
        return idle

    def _add(self) -> None:
        now = self._clock()
        self._used += (now - self._seen) * min(self._count, self.places)
        self._seen = now

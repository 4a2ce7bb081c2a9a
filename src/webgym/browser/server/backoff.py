"""How long to wait before a process that ended by itself is started again."""

from __future__ import annotations

import time

_PAUSES_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
_HEALTHY_SECONDS = 30.0
"""A process that lived this long had nothing wrong with it."""


class Backoff:
    """Longer pauses the sooner a process ends after its start."""

    def __init__(self) -> None:
        self._failures = 0
        self._started = time.monotonic()

    def start(self) -> None:
        """A process is being started."""
        self._started = time.monotonic()

    def pause(self) -> float:
        """It has ended: how many seconds to wait before the next start."""
        lived = time.monotonic() - self._started
        self._failures = 0 if lived > _HEALTHY_SECONDS else self._failures + 1
        return _PAUSES_SECONDS[min(self._failures, len(_PAUSES_SECONDS) - 1)]

"""Backoff between restarts of a process that exited unexpectedly."""

from __future__ import annotations

import time

_PAUSES_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
_HEALTHY_SECONDS = 30.0
"""A process that ran this long counts as healthy and resets the backoff."""


class Backoff:
    """Computes restart delays, which grow with each consecutive early exit."""

    def __init__(self) -> None:
        self._failures = 0
        self._started = time.monotonic()

    def start(self) -> None:
        """Record that the process is being started."""
        self._started = time.monotonic()

    def pause(self) -> float:
        """Record that the process ended, and return how many seconds to wait before restarting it."""
        lived = time.monotonic() - self._started
        self._failures = 0 if lived > _HEALTHY_SECONDS else self._failures + 1
        return _PAUSES_SECONDS[min(self._failures, len(_PAUSES_SECONDS) - 1)]

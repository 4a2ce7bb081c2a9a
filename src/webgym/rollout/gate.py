"""A FIFO concurrency limiter for one operation, with an adaptive limit."""

from __future__ import annotations

import collections
import math
import statistics
from collections.abc import Callable

import anyio

from webgym.records.base import Record

_WINDOW = 32
"""Minimum number of runs between updates of the limit; the limit itself if that is higher. Of a burst that enters
together the fastest leave first, so a window shorter than the burst would be biased."""
_TOLERANCE = 2.0
"""Multiple of the usual duration above which the limit is lowered."""
_SMOOTHING = 0.3
_ROOM = 0.5
"""Headroom of the target, as a fraction of the limit. With the smoothing, the limit grows by 15 % per window."""
_LONG = 0.02
"""Weight of one window in the moving average of the usual duration."""


class GateStatus(Record, frozen=True):
    """Snapshot of a gate's counters."""

    limit: int
    running: int
    waiting: int
    done: int


class Gate:
    """Admits holders in order of arrival. Consumes: requests to enter. Waits for: a holder to leave.

    The limit adapts to measured durations: it rises while the operation takes about as long as usual and others wait
    for it, and falls when it takes more than twice as long (the gradient method of adaptive concurrency limits).
    """

    def __init__(
        self, limit: int, *, least: int = 1, most: int = 0, changed: Callable[[int, str], None] = lambda _n, _why: None
    ) -> None:
        self._limit = float(limit)
        self._least = min(least, limit)
        self._most = most or limit
        self._changed = changed
        self._waiting: collections.OrderedDict[int, anyio.Event] = collections.OrderedDict()
        self._tickets = 0
        self._running = 0
        self._done = 0
        self._window: list[float] = []
        self._wanted = False
        self._usual = 0.0

    @property
    def limit(self) -> int:
        return int(self._limit)

    def resize(self, limit: int) -> None:
        """Set the limit, also as the new maximum."""
        self._most = limit
        self._least = min(self._least, limit)
        self._limit = float(limit)
        self._admit()

    async def enter(self) -> float:
        """Wait for admission and return the seconds waited. Must be paired with `leave`."""
        if self._running < self.limit and not self._waiting:
            self._running += 1
            return 0.0
        began = anyio.current_time()
        self._tickets += 1
        ticket, turn = self._tickets, anyio.Event()
        self._waiting[ticket] = turn
        self._wanted = True
        try:
            await turn.wait()
        except BaseException:
            # Cancelled while still in the queue, or just after admission: then the slot must be freed.
            if self._waiting.pop(ticket, None) is None:
                self._running -= 1
                self._admit()
            raise
        return anyio.current_time() - began

    def leave(self, seconds: float | None) -> None:
        """Free the slot; `seconds` is the operation's duration, None if it failed and tells nothing about speed."""
        self._running -= 1
        self._done += 1
        if seconds is not None:
            self._learn(seconds)
        self._admit()

    def status(self) -> GateStatus:
        """Return a snapshot of the gate's counters."""
        return GateStatus(self.limit, self._running, len(self._waiting), self._done)

    def _admit(self) -> None:
        while self._waiting and self._running < self.limit:
            _, turn = self._waiting.popitem(last=False)
            self._running += 1
            turn.set()

    def _learn(self, seconds: float) -> None:
        if self._least == self._most:
            return
        self._window.append(seconds)
        if len(self._window) < max(_WINDOW, self.limit):
            return
        recent, wanted = statistics.fmean(self._window), self._wanted
        self._window.clear()
        self._wanted = bool(self._waiting)
        self._usual = self._usual + _LONG * (recent - self._usual) if self._usual else recent
        self._usual = min(self._usual, recent) if recent * _TOLERANCE < self._usual else self._usual
        slower = recent > self._usual * _TOLERANCE
        if not slower and not wanted:
            return
        gradient = max(0.5, min(1.0, _TOLERANCE * self._usual / recent)) if recent else 1.0
        target = self._limit * gradient + (0.0 if slower else max(math.sqrt(self._limit), _ROOM * self._limit))
        self._set(self._limit + _SMOOTHING * (target - self._limit), "slower than usual" if slower else "in demand")

    def _set(self, limit: float, why: str) -> None:
        before = self.limit
        self._limit = max(float(self._least), min(float(self._most), limit))
        if self.limit != before:
            self._changed(self.limit, why)

"""A queue in front of one operation: first come, first served, so many at a time, and fewer when it gets slow."""

from __future__ import annotations

import collections
import math
import statistics
from collections.abc import Callable

import anyio

from webgym.records.base import Record

_WINDOW = 32
"""Runs after which the limit is looked at again, at least: as many as may run at once, else. Of a crowd that enters
together the fastest leave first and the slowest last, so part of a crowd says nothing about the operation."""
_TOLERANCE = 2.0
"""How many times its usual duration an operation may take before fewer are let in."""
_SMOOTHING = 0.3
_ROOM = 0.5
"""Of the limit, that the target lies above it while all goes well: with the smoothing, 15 % more after each window."""
_LONG = 0.02
"""Weight of one window in what is usual."""


class GateStatus(Record, frozen=True):
    """A gate at a glance."""

    limit: int
    running: int
    waiting: int
    done: int


class Gate:
    """Lets holders in by order of arrival. Consumes: requests to enter. Waits for: a holder to leave.

    The limit follows measured durations: while an operation takes about as long as usual and others wait for it, more
    are let in; when it takes more than twice as long, fewer (the gradient method of adaptive concurrency limits).
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
        """Another limit, and as the highest one from now on."""
        self._most = limit
        self._least = min(self._least, limit)
        self._limit = float(limit)
        self._admit()

    async def enter(self) -> float:
        """Wait for a turn; the seconds that took. `leave` must follow."""
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
            # Cancelled: either still in the queue, or just let in by someone who does not know.
            if self._waiting.pop(ticket, None) is None:
                self._running -= 1
                self._admit()
            raise
        return anyio.current_time() - began

    def leave(self, seconds: float | None) -> None:
        """Make room; `seconds` is how long the operation took, None if it failed and says nothing about speed."""
        self._running -= 1
        self._done += 1
        if seconds is not None:
            self._learn(seconds)
        self._admit()

    def status(self) -> GateStatus:
        """A gate at a glance."""
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

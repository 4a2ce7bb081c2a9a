"""The event loop in virtual time, and processor-sharing stations whose speed depends on their load."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable

Then = Callable[[], None]


class Gauge:
    """A histogram of time by number of concurrent jobs."""

    def __init__(self) -> None:
        self.seconds: dict[int, float] = {}

    def add(self, count: int, seconds: float) -> None:
        self.seconds[count] = self.seconds.get(count, 0.0) + seconds

    def mean(self, of: Callable[[int], float]) -> float:
        """Return the time-weighted mean of a function of the count."""
        total = sum(self.seconds.values())
        return sum(of(count) * seconds for count, seconds in self.seconds.items()) / total if total else 0.0

    def quantile(self, share: float) -> int:
        """Return the count that is not exceeded for this share of the time."""
        left = share * sum(self.seconds.values())
        for count in sorted(self.seconds):
            left -= self.seconds[count]
            if left <= 0:
                return count
        return 0


class Station:
    """A processor-sharing server: all jobs progress at the same speed, which depends on their number.

    Progress is tracked once for all jobs: a job finishes when the common progress has grown by its work. An event thus
    costs O(log n) in the number of jobs, where rescheduling all of them would cost O(n).
    """

    def __init__(self, speed: Callable[[int], float]) -> None:
        self._speed = speed
        self._progress = 0.0
        self._at = 0.0
        self._crowd: list[tuple[float, int, Then]] = []
        self._numbers = itertools.count()
        self._closed = False
        self.gauge = Gauge()

    def enter(self, now: float, work: float, then: Then) -> None:
        self._advance(now)
        heapq.heappush(self._crowd, (self._progress + work, next(self._numbers), then))

    def leave(self, now: float) -> Then:
        """Remove the job that finishes first, and return its continuation."""
        self._advance(now)
        return heapq.heappop(self._crowd)[2]

    def close(self, now: float) -> None:
        """Pause service; jobs stay."""
        self._advance(now)
        self._closed = True

    def open(self, now: float) -> None:
        self._advance(now)
        self._closed = False

    def due(self) -> float:
        """Return when the next job finishes."""
        if not self._crowd or self._closed:
            return math.inf
        return self._at + max(0.0, self._crowd[0][0] - self._progress) / self._speed(len(self._crowd))

    def _advance(self, now: float) -> None:
        if now > self._at:
            count = len(self._crowd)
            self.gauge.add(count, now - self._at)
            if count and not self._closed:
                self._progress += (now - self._at) * self._speed(count)
            self._at = now


class Clock:
    """Runs events in order of virtual time."""

    def __init__(self, *stations: Station) -> None:
        self._stations = stations
        self._timers: list[tuple[float, int, Then]] = []
        self._numbers = itertools.count()
        self.now = 0.0
        self.end = math.inf
        """The simulation stops at this time."""

    def after(self, seconds: float, then: Then) -> None:
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), then))

    def run(self) -> None:
        """Run until no event is left or `end` is reached."""
        while True:
            due = self._timers[0][0] if self._timers else math.inf
            first: Station | None = None
            for station in self._stations:
                at = station.due()
                if at < due:
                    due, first = at, station
            if due >= self.end or due == math.inf:
                self.now = self.end if due != math.inf else self.now
                return
            self.now = due
            then = first.leave(due) if first else heapq.heappop(self._timers)[2]
            then()

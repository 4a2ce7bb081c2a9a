"""Latency percentiles and rates over the recent past, in bounded memory."""

from __future__ import annotations

import collections
import math

from webgym.monitor.wire import Throughput

BUCKET_SECONDS = 5.0
_BUCKETS = 120
_MINUTE_BUCKETS = round(60 / BUCKET_SECONDS)


class Latencies:
    """Percentiles of the latest durations."""

    def __init__(self, size: int = 500) -> None:
        self._latest: collections.deque[float] = collections.deque(maxlen=size)
        self._sorted: list[float] | None = []

    def add(self, seconds: float) -> None:
        self._latest.append(seconds)
        self._sorted = None

    def percentile(self, percent: float) -> float | None:
        """Return a percentile in seconds; None if there are no durations."""
        if self._sorted is None:
            self._sorted = sorted(self._latest)
        if not self._sorted:
            return None
        return round(self._sorted[max(0, math.ceil(len(self._sorted) * percent / 100) - 1)], 4)


class RateMeter:
    """Counts events and their rate."""

    def __init__(self) -> None:
        self.total = 0
        self._buckets: collections.deque[int] = collections.deque([0], maxlen=_BUCKETS)
        self._current = 0

    def count(self, now: float) -> None:
        """Count one event, `now` seconds after the start."""
        self._move_to(now)
        self.total += 1
        self._buckets[-1] += 1

    def read(self, now: float) -> Throughput:
        self._move_to(now)
        recent = tuple(self._buckets)
        within = now - self._current * BUCKET_SECONDS
        window = min(now, (_MINUTE_BUCKETS - 1) * BUCKET_SECONDS + within)
        return Throughput(
            total=self.total,
            last_minute=_per_minute(sum(recent[-_MINUTE_BUCKETS:]), window),
            overall=_per_minute(self.total, now),
            recent=recent,
            bucket=BUCKET_SECONDS,
        )

    def _move_to(self, now: float) -> None:
        current = int(now / BUCKET_SECONDS)
        self._buckets.extend([0] * min(current - self._current, _BUCKETS))
        self._current = max(current, self._current)


def _per_minute(count: int, seconds: float) -> float:
    # Less than a second would give inflated rates.
    return round(count * 60 / max(seconds, 1.0), 1)

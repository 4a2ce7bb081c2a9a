"""Samples the event loop lag and the memory of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import psutil

from webgym.concurrency import background
from webgym_bench.figures import percentile

_EVERY_SECONDS = 0.02
_LAGS_PER_MEMORY = 10


@dataclass
class Vitals:
    """Samples of this process."""

    lags: list[float] = field(default_factory=list[float])
    """Event loop lag in milliseconds."""
    computed: list[float] = field(default_factory=list[float])
    """Part of each lag in which the event loop's thread was computing: an upper bound on its own share."""
    peak_mb: float = 0.0
    """Peak resident set size."""
    cpu_seconds: float = 0.0
    starved_seconds: float = 0.0
    """Seconds in which the event loop's thread was runnable but waited for a core."""

    def lag_ms(self, share: float) -> float | None:
        """Return a percentile of the lag, or None if it was not sampled."""
        return percentile(sorted(self.lags), share) if self.lags else None

    def computed_ms(self, share: float) -> float | None:
        """Return a percentile of `computed`, or None if it was not sampled."""
        return percentile(sorted(self.computed), share) if self.computed else None


@asynccontextmanager
async def watching(*, lag: bool = True) -> AsyncGenerator[Vitals]:
    """Sample for the duration of the block. Disable `lag` in virtual time, where nothing is ever late."""
    vitals, process = Vitals(), psutil.Process()
    before, starved = time.process_time(), _starved()
    async with background() as tasks:
        if lag:
            tasks.start_soon(_sample, vitals, process)
        try:
            yield vitals
        finally:
            _weigh(vitals, process)
            vitals.cpu_seconds = time.process_time() - before
            vitals.starved_seconds = _starved() - starved if lag else 0.0


async def _sample(vitals: Vitals, process: psutil.Process) -> None:
    while True:
        for _ in range(_LAGS_PER_MEMORY):
            due, before = time.perf_counter() + _EVERY_SECONDS, time.thread_time()
            await anyio.sleep(_EVERY_SECONDS)
            late = max(0.0, (time.perf_counter() - due) * 1000)
            vitals.lags.append(late)
            vitals.computed.append(min(late, (time.thread_time() - before) * 1000))
        _weigh(vitals, process)


def _weigh(vitals: Vitals, process: psutil.Process) -> None:
    vitals.peak_mb = max(vitals.peak_mb, process.memory_info().rss / 2**20)


def _starved() -> float:
    """Return the seconds this thread has waited for a core, or 0 if the kernel does not report them."""
    try:
        _running, waiting, _slices = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return int(waiting) / 1e9

"""Runs asynchronous and synchronous training, one after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import anyio.to_thread

from webgym.records.curve import Iteration
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.expected import Expected, expected
from webgym_bench.flow.figures import Figures, Split, figures, split
from webgym_bench.flow.stage import Log, open_stage
from webgym_bench.flow.training_loops import asynchronous, synchronous
from webgym_bench.log import write_log
from webgym_bench.machine import hardware
from webgym_bench.processes import orphans_adopted, usage

REPORT_VERSION = 1
PUBLISHED = 2.9
"""Speedup of asynchronous over synchronous training that the paper reports."""

Progress = Callable[[str, int, int], None]
"""Called with the mode being run, the updates done and the updates in total."""


@dataclass(frozen=True)
class Report:
    """The results of one run."""

    conditions: Conditions
    machine: dict[str, object]
    asynchronous: Figures
    synchronous: Figures
    busy_here: float
    """Share of the machine's CPU used by this benchmark. Near 1, the machine itself is the bottleneck."""
    busy_elsewhere: float
    expected: Expected
    """What the scale model predicts."""

    @property
    def async_over_sync(self) -> float:
        """Ratio of the trajectories trained on per hour."""
        return round(self.asynchronous.trajectories_per_hour / self.synchronous.trajectories_per_hour, 3)

    @property
    def split(self) -> Split:
        return split(self.synchronous, self.asynchronous)

    def as_json(self) -> dict[str, object]:
        return {
            "benchmark": "flow",
            "version": REPORT_VERSION,
            "async_over_sync": self.async_over_sync,
            "published": PUBLISHED,
            "expected": {**asdict(self.expected), "async_over_sync": self.expected.async_over_sync},
            "split": asdict(self.split),
            "lag_mean": self.asynchronous.lag_mean,
            "lag_max": self.asynchronous.lag_max,
            "idle": {"asynchronous": self.asynchronous.idle, "synchronous": self.synchronous.idle},
            "bytes_per_step": asdict(self.asynchronous.bytes_per_step),
            "busy_here": self.busy_here,
            "busy_elsewhere": self.busy_elsewhere,
            "asynchronous": asdict(self.asynchronous),
            "synchronous": asdict(self.synchronous),
            "conditions": asdict(self.conditions),
            "machine": self.machine,
        }


async def compare(conditions: Conditions, progress: Progress, log: Path | None = None) -> Report:
    """Train asynchronously, then synchronously, each with its own processes and store."""
    about = hardware()
    with orphans_adopted(), tempfile.TemporaryDirectory(prefix="webgym-flow-") as folder:
        before, start = await usage(0), perf_counter()
        total = conditions.warmup + conditions.overlapping
        async with open_stage(
            conditions, Path(folder) / "async", conditions.warmup, lambda done: progress("asynchronous", done, total)
        ) as stage:
            first = await asynchronous(stage, total)
        async with open_stage(
            conditions,
            Path(folder) / "sync",
            0,
            lambda done: progress("synchronous", done, conditions.updates),
            lockstep=conditions.lockstep,
        ) as stage:
            second = await synchronous(stage, conditions.updates)
        used, seconds = await usage(0) - before, perf_counter() - start
    if log:
        write_log(log, asdict(conditions), (_records(first[0]), _records(second[0])))
    cores = (os.cpu_count() or 1) * seconds
    return Report(
        conditions,
        about,
        figures(conditions, *first),
        figures(conditions, *second),
        busy_here=round(used.tree / cores, 3),
        busy_elsewhere=round(used.elsewhere / cores, 3),
        expected=await anyio.to_thread.run_sync(expected, conditions),
    )


def _records(log: Log) -> list[Iteration]:
    return [one for _, one in log.iterations]

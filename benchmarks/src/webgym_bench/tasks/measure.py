"""Times operations on a task set. A subprocess generates the set, to keep its memory out of the measurement."""

from __future__ import annotations

import datetime as dt
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from webgym_hermetic.parts import hermetic_part
from webgym_hermetic.rows import hermetic_rows

from webgym.records.task_row import TaskRow
from webgym.tasks.clean.run import clean
from webgym.tasks.decompose.rule import can_be_cut, parts_of
from webgym.tasks.filters import Filter
from webgym.tasks.samplers.pool import pool_of
from webgym.tasks.samplers.sampler import Kind, PoolSampler, TaskSampling
from webgym.tasks.sets import TaskSet, open_set
from webgym.tasks.split.make import SplitPlan, make_split
from webgym_bench.machine import hardware

DRAWN = 1024
_DRAWS = 9
_SITES, _PER_SITE = 2, 50
"""Hermetic sites per family, and tasks per site, that are decomposed."""
_DAY = dt.date(2026, 1, 1)
_T = TypeVar("_T")
Progress = Callable[[str], None]


KINDS: tuple[Kind, ...] = ("uniform", "ratio", "balanced", "adaptive")


@dataclass(frozen=True, slots=True)
class Took:
    """Duration in seconds."""

    clock: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run measures."""

    rows: int = 300_000
    test: int = 1_167
    seed: int = 0


def measure(plan: Plan, progress: Progress) -> dict[str, object]:
    """Return all metrics by name: wall-clock times, and CPU times under `cpu`."""
    with tempfile.TemporaryDirectory(prefix="webgym-tasks-") as folder:
        place = Path(folder) / "synthetic"
        progress(f"making {plan.rows:,} tasks")
        made = [sys.executable, "-m", "webgym_bench.tasks.synthetic", str(place), str(plan.rows), str(plan.seed)]
        subprocess.run(made, check=True)  # noqa: S603  our own interpreter
        size = (place / "tasks.parquet").stat().st_size
        progress("loading")
        load, (tasks, easy) = _timed(lambda: _load(place))
    progress("drawing")
    draws = {kind: _draw(tasks, kind, plan.seed) for kind in KINDS}
    slowest = max(draws.values(), key=lambda took: took.cpu)
    progress("splitting")
    split, aside = _timed(lambda: len(make_split(tasks, SplitPlan(plan.test, plan.seed)).aside))
    progress("cleaning")
    cleaning, dropped = _timed(lambda: clean(tasks, _DAY).counts())
    progress("taking tasks apart")
    cutting, parts = _cut(_cuttable())
    return {
        "rows": len(tasks),
        "file_mb": round(size / 2**20, 1),
        "load_seconds": round(load.clock, 3),
        "split_seconds": round(split.clock, 2),
        "clean_seconds": round(cleaning.clock, 2),
        "decompose_per_second": round(parts / cutting.clock, 1),
        "draw_1024_ms": round(1000 * slowest.clock, 2),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "cpu": {
            "load_seconds": round(load.cpu, 3),
            "split_seconds": round(split.cpu, 2),
            "clean_seconds": round(cleaning.cpu, 2),
            "decompose_per_second": round(parts / cutting.cpu, 1),
            **{f"draw_1024_ms_{kind}": round(1000 * took.cpu, 2) for kind, took in draws.items()},
        },
        "filtered_rows": easy,
        "test_rows": plan.test,
        "set_aside": aside,
        "dropped": dropped,
        "machine": hardware(),
    }


def _load(place: Path) -> tuple[TaskSet, int]:
    """Load the whole set and filter it for the easy tasks of one domain that are ready to attempt."""
    tasks = open_set(place)
    return tasks, len(Filter(level="easy", domain="Travel", ready=True).of(tasks))


def _draw(tasks: TaskSet, kind: Kind, seed: int) -> Took:
    """Return the median duration of several draws, including the lookup of the drawn tasks."""
    pool = pool_of(tasks)
    ratio = {"easy": 5.0, "medium": 3.0, "hard": 2.0} if kind == "ratio" else {}
    sampler = PoolSampler(pool, TaskSampling(kind, seed, ratio=ratio))
    took = [_timed(lambda: pool.tasks.take([int(place) for place in sampler.draw(DRAWN)]))[0] for _ in range(_DRAWS)]
    return Took(statistics.median(one.clock for one in took), statistics.median(one.cpu for one in took))


def _cuttable() -> list[TaskRow]:
    """Return the hermetic tasks that can be decomposed."""
    return [row for row in hermetic_rows(_SITES, _PER_SITE) if can_be_cut(row.rubric)]


def _cut(rows: Sequence[TaskRow]) -> tuple[Took, int]:
    """Build all parts of the tasks, with instructions and exact checks. Return the duration and the number of parts."""
    return _timed(lambda: sum(1 for row in rows for part in parts_of(row.rubric) if hermetic_part(row, part)))


def _timed(do: Callable[[], _T]) -> tuple[Took, _T]:
    began, busy = time.perf_counter(), time.process_time()
    found = do()
    return Took(time.perf_counter() - began, time.process_time() - busy), found

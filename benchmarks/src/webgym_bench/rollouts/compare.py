"""Runs asynchronous and lockstep rollouts, one after the other."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from webgym.records.base import Record
from webgym.rollout.gates import GateLimits
from webgym_bench.log import write_log
from webgym_bench.machine import hardware, machine
from webgym_bench.processes import orphans_adopted, usage
from webgym_bench.rollouts.chromium import chromium_sessions
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.figures import Figures, Run, figures, same_work
from webgym_bench.rollouts.simulated import WEBSITE, SimulatedBrowser
from webgym_bench.rollouts.systems import Bench, Progress
from webgym_bench.rollouts.work import Work

REPORT_VERSION = 1
PUBLISHED = 5.0
"""Speedup of asynchronous over synchronous rollouts that the paper reports."""


@dataclass(frozen=True)
class Report:
    """The results of one run."""

    conditions: Conditions
    machine: dict[str, object]
    asynchronous: Figures
    lockstep: Figures
    busy_elsewhere: float
    """Share of the machine's CPU used by other processes."""
    busy_here: float
    """Share of the machine's CPU used by this benchmark. Near 1, the machine itself is the bottleneck."""
    same_work: bool
    """Whether both ran the same attempts with the same numbers of steps. If not, the ratios are meaningless."""

    @property
    def async_over_lockstep(self) -> float:
        """Speedup over the whole run, from the first attempt to the last."""
        return round(self.lockstep.seconds / self.asynchronous.seconds, 3)

    @property
    def async_over_lockstep_steady(self) -> float:
        """Speedup in steps per second while there was an attempt for every slot."""
        return round(self.asynchronous.steady_steps_per_second / self.lockstep.steady_steps_per_second, 3)

    def as_json(self) -> dict[str, object]:
        return {
            "benchmark": "rollouts",
            "version": REPORT_VERSION,
            "async_over_lockstep": self.async_over_lockstep,
            "async_over_lockstep_steady": self.async_over_lockstep_steady,
            "published": PUBLISHED,
            "same_work": self.same_work,
            "busy_here": self.busy_here,
            "busy_elsewhere": self.busy_elsewhere,
            "asynchronous": asdict(self.asynchronous),
            "lockstep": asdict(self.lockstep),
            "conditions": asdict(self.conditions),
            "machine": self.machine,
        }


async def compare(conditions: Conditions, progress: Progress, log: Path | None = None) -> Report:
    """Run the asynchronous pool, then lockstep."""
    about = machine() if conditions.browser == "chromium" else hardware()
    with orphans_adopted():
        async with _bench(conditions, progress) as bench:
            before, start = await usage(0), perf_counter()
            first = await bench.asynchronous()
            second = await bench.lockstep()
            used, seconds = await usage(0) - before, perf_counter() - start
    if log:
        write_log(log, asdict(conditions), (_records(first), _records(second)))
    cores = (os.cpu_count() or 1) * seconds
    return Report(
        conditions,
        about,
        figures(first),
        figures(second),
        busy_here=round(used.tree / cores, 3),
        busy_elsewhere=round(used.elsewhere / cores, 3),
        same_work=same_work(first.watch.attempts, second.watch.attempts),
    )


@asynccontextmanager
async def _bench(conditions: Conditions, progress: Progress) -> AsyncGenerator[Bench]:
    work = Work(conditions)
    if conditions.browser == "simulated":
        yield Bench(work, SimulatedBrowser(work), WEBSITE, _wide(conditions.attempts_open), progress)
        return
    progress("starting the fleet", 0, 0)
    async with chromium_sessions(conditions) as (browser, pages):
        yield Bench(work, browser, pages.url(""), _wide(conditions.attempts_open), progress)


def _wide(attempts_open: int) -> GateLimits:
    """Return limits wide enough that neither mode ever waits at a gate."""
    room = attempts_open, attempts_open
    return GateLimits.model_validate(dict.fromkeys(GateLimits.model_fields, room))


def _records(run: Run) -> Sequence[Record]:
    return (*run.watch.attempts, *run.watch.operations, *run.watch.limits)

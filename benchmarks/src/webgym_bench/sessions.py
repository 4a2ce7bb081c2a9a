"""`webgym bench sessions`: measures our sessions, the published sequence and bare CDP, one after another in one run.

On a machine that is not idle, two runs of one system differ by 10% or more. A comparison can therefore have several
rounds of all systems, in alternating order; the reported ratio is the median over the rounds.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from webgym_bench.baseline_browser import is_full, published_executable
from webgym_bench.conditions import Conditions
from webgym_bench.figures import Figures, combined
from webgym_bench.log import write_log
from webgym_bench.machine import machine
from webgym_bench.measure import Bench, Measured, Progress
from webgym_bench.pages.server import serve_pages
from webgym_bench.processes import orphans_adopted
from webgym_bench.systems.cdp import CDP
from webgym_bench.systems.fleet import FLEET, HEADED, OTHER
from webgym_bench.systems.inprocess import IN_PROCESS
from webgym_bench.systems.published import PUBLISHED

REPORT_VERSION = 1
SYSTEMS = {system.name: system for system in (FLEET, HEADED, OTHER, IN_PROCESS, PUBLISHED, CDP)}


@dataclass(frozen=True)
class Plan:
    """What one run measures."""

    conditions: Conditions
    system: str = FLEET.name
    against: tuple[str, ...] = ()
    """Names of the baselines."""
    rounds: int = 1
    """How often each system is measured."""
    png: bool = True
    """Whether to measure our system once more with PNG screenshots."""
    log: Path | None = None


@dataclass(frozen=True)
class Report:
    """The results of one run."""

    plan: Plan
    machine: dict[str, object]
    ours: Figures
    png: Figures | None
    others: dict[str, Figures]
    speedups: tuple[float, ...] = ()
    """Throughput relative to the published sequence, per round."""
    cpu_ratios: tuple[float, ...] = ()
    """CPU time per step relative to bare CDP, per round."""
    other_ratios: tuple[float, ...] = ()
    """CPU time per step relative to the other browser, per round."""

    @property
    def speedup(self) -> float | None:
        """Median throughput relative to the published sequence."""
        return round(statistics.median(self.speedups), 3) if self.speedups else None

    @property
    def baseline(self) -> str:
        """What the published sequence ran on. A full Chromium costs more than the headless shell of our sessions."""
        published = published_executable(self.plan.conditions.baseline_browser)
        return "full Chromium" if is_full(published) else "the headless shell"

    @property
    def cpu_over_cdp(self) -> float | None:
        """Median CPU time per step relative to bare CDP."""
        return round(statistics.median(self.cpu_ratios), 3) if self.cpu_ratios else None

    @property
    def cpu_over_other(self) -> float | None:
        """Median CPU time per step relative to the other browser."""
        return round(statistics.median(self.other_ratios), 3) if self.other_ratios else None

    def as_json(self) -> dict[str, object]:
        """Return the report as JSON: our metrics at the top level, those of other systems nested."""
        found: dict[str, object] = {"benchmark": "sessions", "version": REPORT_VERSION, **asdict(self.ours)}
        if self.png:
            found["png"] = asdict(self.png)
        if PUBLISHED.name in self.others:
            found |= {"speedup": self.speedup, "speedup_by_round": self.speedups, "speedup_over": self.baseline}
        if CDP.name in self.others:
            found |= {"cpu_over_cdp": self.cpu_over_cdp, "cpu_over_cdp_by_round": self.cpu_ratios}
        if OTHER.name in self.others:
            found |= {"cpu_over_other": self.cpu_over_other, "cpu_over_other_by_round": self.other_ratios}
        found |= {name: asdict(one) for name, one in self.others.items()}
        found["systems"] = {name: SYSTEMS[name].about for name in (self.plan.system, *self.others)}
        return {**found, "conditions": asdict(self.plan.conditions), "machine": self.machine}


async def run(plan: Plan, progress: Progress) -> Report:
    """Measure every system on the same pages under the same conditions."""
    conditions = plan.conditions
    about = machine(conditions.baseline_browser, conditions.other_browser)
    system = SYSTEMS[plan.system]
    rounds: list[dict[str, Measured]] = []
    pictures: Measured | None = None
    with orphans_adopted():
        async with serve_pages(conditions.seed, conditions.page) as pages:
            bench = Bench(pages, progress)
            for number in range(plan.rounds):
                order = ["", *plan.against] if number % 2 == 0 else [*reversed(plan.against), ""]
                rounds.append({name: await bench.measure(SYSTEMS[name or plan.system], conditions) for name in order})
            if plan.png:
                pictures = await bench.measure(system, replace(conditions, format="png"), f"{system.name}, png")
    if plan.log:
        everything = [*(one for found in rounds for one in found.values()), *filter(None, (pictures,))]
        write_log(plan.log, asdict(conditions), (one.records for one in everything))
    figures = {name: combined([found[name].figures for found in rounds]) for name in ("", *plan.against)}
    return Report(
        plan,
        about,
        figures.pop(""),
        pictures.figures if pictures else None,
        figures,
        _ratios(rounds, PUBLISHED.name, lambda one: one.steps_per_second),
        _ratios(rounds, CDP.name, lambda one: one.cpu_ms_per_step),
        _ratios(rounds, OTHER.name, lambda one: one.cpu_ms_per_step),
    )


def _ratios(rounds: list[dict[str, Measured]], name: str, figure: Callable[[Figures], float]) -> tuple[float, ...]:
    """Return our metric over theirs per round, without rounds in which either system completed no step."""
    pairs = [(figure(found[""].figures), figure(found[name].figures)) for found in rounds if name in found]
    return tuple(round(ours / theirs, 3) for ours, theirs in pairs if ours and theirs)

"""`webgym bench sessions`: ours, the published sequence and bare CDP, one after another in one run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from webgym.bench.conditions import Conditions
from webgym.bench.figures import Figures
from webgym.bench.log import write_log
from webgym.bench.machine import machine
from webgym.bench.measure import Bench, Measured, Progress
from webgym.bench.pages.server import serve_pages
from webgym.bench.processes import adopt_orphans
from webgym.bench.systems.cdp import CDP
from webgym.bench.systems.fleet import FLEET
from webgym.bench.systems.inprocess import IN_PROCESS
from webgym.bench.systems.published import PUBLISHED
from webgym.bench.systems.system import System

REPORT_VERSION = 1
SYSTEMS = {system.name: system for system in (FLEET, IN_PROCESS, PUBLISHED, CDP)}


@dataclass(frozen=True)
class Plan:
    """What is measured in one run."""

    conditions: Conditions
    system: str = FLEET.name
    against: tuple[str, ...] = ()
    """Names of the systems it is compared with."""
    png: bool = True
    """Whether ours is measured once more with PNG."""
    log: Path | None = None


@dataclass(frozen=True)
class Report:
    """What a run found."""

    plan: Plan
    machine: dict[str, object]
    ours: Figures
    png: Figures | None
    others: dict[str, Figures]

    @property
    def speedup(self) -> float | None:
        """Steps per second over those of the published sequence."""
        other = self.others.get(PUBLISHED.name)
        return _ratio(self.ours.steps_per_second, other.steps_per_second) if other else None

    @property
    def cpu_over_cdp(self) -> float | None:
        """Processor time per step over that of bare CDP."""
        other = self.others.get(CDP.name)
        return _ratio(self.ours.cpu_ms_per_step, other.cpu_ms_per_step) if other else None

    def as_json(self) -> dict[str, object]:
        """Flat for ours, nested for the rest."""
        found: dict[str, object] = {"benchmark": "sessions", "version": REPORT_VERSION, **asdict(self.ours)}
        if self.png:
            found["png"] = asdict(self.png)
        if PUBLISHED.name in self.others:
            found["speedup"] = self.speedup
        if CDP.name in self.others:
            found["cpu_over_cdp"] = self.cpu_over_cdp
        found |= {name: asdict(one) for name, one in self.others.items()}
        found["systems"] = {name: SYSTEMS[name].about for name in (self.plan.system, *self.others)}
        return {**found, "conditions": asdict(self.plan.conditions), "machine": self.machine}


async def run(plan: Plan, progress: Progress) -> Report:
    """Every system on the same pages, under the same conditions."""
    about = machine()
    adopt_orphans()
    conditions = plan.conditions
    measured: dict[str, Measured] = {}
    async with serve_pages(conditions.seed, conditions.page) as pages:
        bench = Bench(pages, progress)
        system = SYSTEMS[plan.system]
        ours = measured["ours"] = await bench.measure(system, conditions)
        if plan.png:
            measured["png"] = await bench.measure(system, replace(conditions, format="png"), f"{system.name}, png")
        others = {name: await bench.measure(other, conditions) for name, other in _others(plan)}
    if plan.log:
        write_log(plan.log, asdict(conditions), (one.records for one in (*measured.values(), *others.values())))
    png = measured.get("png")
    return Report(
        plan, about, ours.figures, png.figures if png else None, {name: one.figures for name, one in others.items()}
    )


def _others(plan: Plan) -> list[tuple[str, System]]:
    return [(name, SYSTEMS[name]) for name in plan.against]


def _ratio(ours: float, theirs: float) -> float | None:
    """None where one of them did not get through a single step."""
    return round(ours / theirs, 3) if ours and theirs else None

"""`webgym bench sessions`: ours, the published sequence and bare CDP, one after another in one run.

On a machine that is not quiet, two runs of the same system differ by a tenth or more. So a comparison can be made in
several rounds, each with all systems, forwards and backwards in turn; the ratio reported is the median of the rounds'.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from webgym.bench.conditions import Conditions
from webgym.bench.figures import Figures, combined
from webgym.bench.log import write_log
from webgym.bench.machine import machine
from webgym.bench.measure import Bench, Measured, Progress
from webgym.bench.pages.server import serve_pages
from webgym.bench.processes import orphans_adopted
from webgym.bench.systems.cdp import CDP
from webgym.bench.systems.fleet import FLEET, HEADED
from webgym.bench.systems.inprocess import IN_PROCESS
from webgym.bench.systems.published import PUBLISHED

REPORT_VERSION = 1
SYSTEMS = {system.name: system for system in (FLEET, HEADED, IN_PROCESS, PUBLISHED, CDP)}


@dataclass(frozen=True)
class Plan:
    """What is measured in one run."""

    conditions: Conditions
    system: str = FLEET.name
    against: tuple[str, ...] = ()
    """Names of the systems it is compared with."""
    rounds: int = 1
    """How often all of them are measured."""
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
    speedups: tuple[float, ...] = ()
    """Steps per second over those of the published sequence, round by round."""
    cpu_ratios: tuple[float, ...] = ()
    """Processor time per step over that of bare CDP, round by round."""

    @property
    def speedup(self) -> float | None:
        """Steps per second over those of the published sequence."""
        return round(statistics.median(self.speedups), 3) if self.speedups else None

    @property
    def cpu_over_cdp(self) -> float | None:
        """Processor time per step over that of bare CDP."""
        return round(statistics.median(self.cpu_ratios), 3) if self.cpu_ratios else None

    def as_json(self) -> dict[str, object]:
        """Flat for ours, nested for the rest."""
        found: dict[str, object] = {"benchmark": "sessions", "version": REPORT_VERSION, **asdict(self.ours)}
        if self.png:
            found["png"] = asdict(self.png)
        if PUBLISHED.name in self.others:
            found |= {"speedup": self.speedup, "speedup_by_round": self.speedups}
        if CDP.name in self.others:
            found |= {"cpu_over_cdp": self.cpu_over_cdp, "cpu_over_cdp_by_round": self.cpu_ratios}
        found |= {name: asdict(one) for name, one in self.others.items()}
        found["systems"] = {name: SYSTEMS[name].about for name in (self.plan.system, *self.others)}
        return {**found, "conditions": asdict(self.plan.conditions), "machine": self.machine}


async def run(plan: Plan, progress: Progress) -> Report:
    """Every system on the same pages, under the same conditions."""
    about = machine()
    conditions = plan.conditions
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
    )


def _ratios(rounds: list[dict[str, Measured]], name: str, figure: Callable[[Figures], float]) -> tuple[float, ...]:
    """Ours over theirs; rounds in which one of them did not get through a single step are left out."""
    pairs = [(figure(found[""].figures), figure(found[name].figures)) for found in rounds if name in found]
    return tuple(round(ours / theirs, 3) for ours, theirs in pairs if ours and theirs)

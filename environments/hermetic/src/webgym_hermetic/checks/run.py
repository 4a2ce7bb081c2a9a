"""Runs a site check with progress output."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import anyio.to_thread
from rich.console import Console
from rich.status import Status
from rich.table import Table

from webgym_hermetic.checks.census import take_census
from webgym_hermetic.checks.check import Outcome, check
from webgym_hermetic.checks.jobs import KINDS, Scope, jobs
from webgym_hermetic.checks.report import Report, describe, trace
from webgym_hermetic.ground import hermetic_ground

_MOST_DESCRIBED = 40


async def run_check(
    scope: Scope, sessions: int, log: Path | None, census: bool, console: Console, status: Status
) -> Report:
    """Run the check, describing failures as they happen."""
    started = time.perf_counter()
    catalogue = None
    if census:
        status.update("generating every task")
        take = partial(take_census, scope.families, scope.per_family, os.cpu_count() or 1)
        catalogue = await anyio.to_thread.run_sync(take)
        console.print(f"{catalogue.tasks:,} tasks on {catalogue.sites} sites in {catalogue.seconds:.1f} s")
    status.update("drawing attempts")
    todo = list(jobs(scope))
    described = 0
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") if log else nullcontext() as file:

        def told(outcome: Outcome, done: int, of: int) -> None:
            nonlocal described
            status.update(f"{done}/{of} attempts")
            if file:
                file.write(trace(outcome) + b"\n")
            if outcome.job.kind != "random" and not outcome.as_expected and described < _MOST_DESCRIBED:
                described += 1
                console.print(describe(outcome), markup=False)

        async with hermetic_ground(sessions, scope.per_family, scope.families) as ground:
            outcomes = await check(ground, todo, sessions, told)
    report = Report(outcomes, catalogue, time.perf_counter() - started)
    console.print(_table(report))
    return report


def _table(report: Report) -> Table:
    table = Table("attempts", "number", "successes", "as expected", box=None)
    for kind in KINDS:
        found = report.of(kind)
        if found:
            expected = sum(one.as_expected for one in found)
            table.add_row(kind, str(len(found)), f"{report.success(kind):.1%}", f"{expected / len(found):.1%}")
    for level, steps in report.steps_by_difficulty().items():
        table.add_row(f"oracle, {level}", str(steps["tasks"]), f"median {steps['median']:g} steps", "")
    table.add_row("", "", f"{report.seconds:.0f} s", "")
    return table

"""`webgym demo --tour`: oracles solve a task on each kind of site; their screenshots are saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webgym.cli.failures import ExitCode

if TYPE_CHECKING:
    from rich.console import Console
    from webgym_hermetic.checks.attempt import Attempted
    from webgym_hermetic.ground import Ground
    from webgym_hermetic.site import Site

    from webgym.records.decision import Decision
    from webgym.records.observation import Capture
    from webgym.records.task import Task

_MOST_STEPS = 40


async def tour(out: Path) -> None:
    """Start websites and a local fleet, and let oracles solve a task on each kind of site."""
    import time

    import anyio
    from rich.console import Console
    from rich.markup import escape
    from webgym_hermetic.ground import hermetic_ground
    from webgym_hermetic.registry import FAMILIES

    await anyio.Path(out).mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False, soft_wrap=True)
    started = time.perf_counter()
    results: list[Attempted] = []
    async with hermetic_ground(len(FAMILIES), per_family=1) as ground:
        console.print(f"{len(FAMILIES)} websites and a fleet ready after {time.perf_counter() - started:.1f} s")
        started = time.perf_counter()
        async with anyio.create_task_group() as tasks:
            for family in FAMILIES:
                tasks.start_soon(_solve, ground, family, out, results, console)
        seconds = time.perf_counter() - started
    solved = sum(one.verdict.success for one in results)
    steps = sum(len(one.steps) for one in results)
    console.print(
        f"[green]done[/]  {solved} of {len(results)} tasks solved, {steps} steps in {seconds:.1f} s; "
        f"see {escape(str(out))}/"
    )
    if solved < len(results):
        raise typer.Exit(ExitCode.FAILURES)


async def _solve(ground: Ground, family: str, out: Path, results: list[Attempted], console: Console) -> None:
    """Let the oracle solve one task on one site."""
    from webgym_hermetic.catalogue import site
    from webgym_hermetic.checks.attempt import Terms, attempt
    from webgym_hermetic.oracle.oracle import Oracle
    from webgym_hermetic.tasks.generate import tasks_of
    from webgym_hermetic.tasks.goals import goals_of

    from webgym.records.observation import Viewport
    from webgym.records.session import Look

    where = site(family, 0)
    task = next(task for task in tasks_of(where) if task.level == "medium")
    goals = goals_of(task, family)
    shots = 0

    def watch(capture: Capture, _decision: Decision | None) -> None:
        nonlocal shots
        shot = capture.observation.screenshot
        if shot is not None:
            (out / f"{family}-{shots:02d}.jpg").write_bytes(capture.blobs[shot.address])
        shots += 1

    terms = Terms(Viewport(), _MOST_STEPS, look=Look(elements=True), watch=watch)
    result = await attempt(ground, where, task, lambda snapshot: Oracle(where, goals, snapshot), terms)
    results.append(result)
    _tell(console, where, task, result)


def _tell(console: Console, where: Site, task: Task, result: Attempted) -> None:
    console.print(f"\n[bold]{where.brand}[/] ({where.family}): {len(result.steps)} steps")
    console.print(f"  {task.instruction}", markup=False)
    facts = [fact for group in task.rubric for fact in group.facts]
    for verdict, fact in zip(result.verdict.facts, facts, strict=True):
        console.print(f"  {'yes' if verdict.holds else 'NO '}  {fact}", markup=False)

"""`webgym demo`: train a tiny policy offline in minutes, with the monitor, curves and viewer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.outputs import new_folder
from webgym.cli.run_options import Overrides

if TYPE_CHECKING:
    from webgym_nano.commands.teller import DemoTeller
    from webgym_nano.demo.run import Demo


def demo(
    overrides: Overrides = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Time budget in minutes.")] = 9.0,
    out: Annotated[
        Path | None, typer.Option(callback=new_folder, help="Folder of the run. Default: a new one under runs/.")
    ] = None,
    model: Annotated[str, typer.Option(help="Policy to train: nano, which ships with WebGym, or a folder.")] = "nano",
    seed: Annotated[int, typer.Option(help="Seed for tasks and sampling.")] = 0,
    serve: Annotated[
        bool | None,
        typer.Option("--serve/--no-serve", help="Keep serving the pages afterwards. Default: only in a terminal."),
    ] = None,
    tour: Annotated[
        bool,
        typer.Option(
            "--tour", help="Instead of training, let oracles solve a task on each kind of site, with screenshots."
        ),
    ] = False,
) -> None:
    """Train nano, a tiny policy, on this machine in minutes.

    Evaluates it on unseen websites before and after. Settings of the training
    run can be given as arguments, such as `train.lr=2e-4`.
    """
    import sys
    import time

    import anyio

    from webgym.cli.setup import ensure_ready

    if tour:
        from webgym_nano.commands.tour import tour as take_tour

        ensure_ready()
        anyio.run(take_tour, out or Path("runs/demo-tour"), backend_options={"use_uvloop": True})
        return
    ensure_ready(training=True)
    folder = out or Path("runs") / f"demo-{time.strftime('%Y%m%d-%H%M%S')}"
    stays = sys.stdin.isatty() if serve is None else serve
    if _run(folder, model, seed, minutes, overrides or [], stays=stays):
        raise typer.Exit(ExitCode.INTERRUPTED)


def _run(folder: Path, model: str, seed: int, minutes: float, overrides: list[str], *, stays: bool) -> bool:
    """Run the demo and return whether it was interrupted."""
    import anyio
    from rich.console import Console

    from webgym.cli.run_options import command
    from webgym.run.choose import made_meta
    from webgym.run.models import find_policy
    from webgym_nano.commands.teller import DemoTeller
    from webgym_nano.demo.budget import Budget
    from webgym_nano.demo.run import Demo
    from webgym_nano.demo.settings import demo_config

    budget = Budget(minutes * 60)
    config = demo_config(folder, model, seed, overrides)
    find_policy(config.policy.model)  # fail on a wrong name before anything starts
    made = Demo(config, folder, made_meta("train", folder.name, config, command()), budget, stays)
    with DemoTeller(Console(highlight=False, soft_wrap=True), budget, folder, stays=stays) as teller:
        teller.welcome(minutes)
        return anyio.run(_told, made, teller, backend_options={"use_uvloop": True})


async def _told(demo: Demo, teller: DemoTeller) -> bool:
    from webgym.concurrency import background
    from webgym_nano.demo.run import run_demo

    async with background() as tasks:
        tasks.start_soon(teller.break_silence)
        return await run_demo(demo, teller)

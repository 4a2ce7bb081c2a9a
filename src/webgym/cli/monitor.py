"""`webgym monitor`: watch a live run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.completions import run_names

if TYPE_CHECKING:
    from webgym.monitor.simulated import SimulationPlan


def monitor(
    run: Annotated[
        str, typer.Argument(help="Folder or name of the run. Default: the latest live run.", autocompletion=run_names)
    ] = "",
    runs: Annotated[Path, typer.Option(help="Folder that holds the runs.")] = Path("runs"),
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Show the monitor in the terminal instead of in a browser.")
    ] = False,
    demo: Annotated[bool, typer.Option("--demo", help="Show a simulated run.")] = False,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts of the simulated run.")] = 400,
    at_once: Annotated[int, typer.Option(min=1, help="Concurrent attempts of the simulated run.")] = 96,
    pace: Annotated[float, typer.Option(min=0.01, help="Speed-up factor of the simulated run.")] = 1.0,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve the simulated run on; 0 picks a free port.")
    ] = 0,
) -> None:
    """Watch a live run in the browser or the terminal.

    Shows every attempt, what it is doing, and the progress of the run.
    """
    import anyio

    from webgym.cli.setup import ensure_ready

    if demo:
        ensure_ready(browser=False)
        from webgym.monitor.simulated import SimulationPlan

        anyio.run(_demo, SimulationPlan(attempts, at_once, pace=pace), port, terminal)
    else:
        anyio.run(_attach, run, runs, terminal)


async def _attach(run: str, runs: Path, terminal: bool) -> None:
    import getpass
    import os
    from urllib.parse import urlsplit

    from rich.console import Console

    from webgym.monitor.client import connect_monitor
    from webgym.monitor.find import live_notice

    notice = live_notice(run, runs)
    async with connect_monitor(notice.address, notice.token) as client:
        await client.about()  # fail here if the run does not answer, before printing its URL
        if terminal:
            await _watch(notice.address, notice.token)
            return
    console = Console(highlight=False, soft_wrap=True)
    from webgym.serving.pages import tunnel_command

    connection = os.environ.get("SSH_CONNECTION", "")
    tunnel = tunnel_command(urlsplit(notice.url).port or 80, connection, getpass.getuser())
    if tunnel:
        console.print(f"on your own machine: {tunnel}", markup=False)
    console.print(f"{'then ' if tunnel else ''}open {notice.url}", markup=False)


async def _watch(address: str, token: str) -> None:
    from rich.console import Console

    from webgym.monitor.client import connect_monitor
    from webgym.monitor.terminal import watch

    async with connect_monitor(address, token) as client:
        await watch(client, Console(highlight=False))


async def _demo(plan: SimulationPlan, port: int, terminal: bool) -> None:
    import signal

    import anyio
    from rich.console import Console

    from webgym.monitor.board import Board
    from webgym.monitor.demo import SimulatedPictures, play
    from webgym.monitor.notice import Notice
    from webgym.monitor.serve import serve_monitor
    from webgym.monitor.wire import BoardFacts

    board, pictures, console = Board(), SimulatedPictures(), Console(highlight=False, soft_wrap=True)

    async def until_told() -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                tasks.cancel_scope.cancel()
                return

    async with (
        serve_monitor(
            board,
            screenshot=pictures.read,
            steps=lambda _: (),
            about=BoardFacts("a simulated run", simulated=True),
            port=port,
            option="--port",
        ) as server,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(until_told)
        tasks.start_soon(play, board, plan)
        if terminal:
            notice = Notice(server.url, 0, "")
            await _watch(notice.address, notice.token)
            tasks.cancel_scope.cancel()
        for line in server.lines():
            console.print(line, markup=False)
        console.print("this run is simulated, nothing in it was measured; Ctrl-C stops it")

"""`webgym bench settle`: how finished the pictures of an application are, and how long they take."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_folder

if TYPE_CHECKING:
    from webgym_bench.measure import Progress


class Opponent(enum.StrEnum):
    """Something to compare with."""

    PLAYWRIGHT = "playwright"


def settle(
    url: Annotated[list[str], typer.Option(help="Start page of the application; repeatable. It will be clicked on.")],
    steps: Annotated[int, typer.Option(min=2, help="Steps to record, and to check: page loads and actions.")] = 40,
    sessions: Annotated[int, typer.Option(min=1, help="Concurrent sessions, besides one alone.")] = 8,
    rounds: Annotated[int, typer.Option(min=1, help="Times to measure the speed of each system.")] = 2,
    against: Annotated[
        Opponent | None, typer.Option(help="Compare with plain Playwright: networkidle, and a fixed wait.")
    ] = None,
    fixed_seconds: Annotated[float, typer.Option(min=0, help="Seconds of the fixed wait.")] = 0.5,
    settle_seconds: Annotated[float, typer.Option(min=0, help="Longest wait for a page.")] = 5.0,
    storage_state: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Cookies and local storage to start with, as JSON.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(callback=new_folder, help="Folder for a log of the steps, and for pictures of unfinished pages."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for what is clicked.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Take steps on a web application, look again later, and tell which pictures were of unfinished pages."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym_bench.settle.compare import Comparison
    from webgym_bench.settle.conditions import Conditions
    from webgym_bench.settle.report import table

    conditions = Conditions(
        urls=tuple(url),
        steps=steps,
        sessions=sessions,
        rounds=rounds,
        against=against is not None,
        fixed_seconds=fixed_seconds,
        settle_seconds=settle_seconds,
        storage_state=storage_state.read_text("utf-8") if storage_state else "",
        seed=seed,
    )
    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}")  # noqa: E731
        report = anyio.run(Comparison(conditions, out, progress).run, backend_options={"use_uvloop": True})
    Console(stderr=json).print(table(report))
    if json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())

"""`webgym study show`: compare training runs by arm, over seeds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file

if TYPE_CHECKING:
    from collections.abc import Sequence


def show(
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER | NAME=RUN[,RUN…]…",
            help="The folder of a study, or arms, each with its training runs: one per seed.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(callback=new_file, metavar="FILE", help="Write a page to this file that can be sent to others."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in this machine's browser.")] = False,
) -> None:
    """Compare the arms of a study: success before and after training on unseen tasks, over seeds.

    Every arm is also compared with the first one. Runs without evaluations are
    compared by what needs none: training time, lag and clipping. With --html
    the comparison becomes one self-contained page with charts.

    For example: webgym study show 1/k=runs/k0,runs/k1,runs/k2
    1/len=runs/t0,runs/t1,runs/t2
    """
    import msgspec
    from rich.console import Console

    from webgym.cli.study.tables import print_study
    from webgym.errors import ConfigError
    from webgym.study.compare import compared, runs_in
    from webgym.study.page import write_page

    if open_page and html is None:
        raise ConfigError("--open opens the page of --html: name its file")
    name, folders, notes = _in_folder(arms) or (" and ".join(_arms(arms)), _arms(arms), ())
    runs = runs_in(folders)
    found = compared(runs)
    if html is not None:
        write_page(html, name, runs, found, notes)
    if json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        print_study(found, Console(highlight=False))
    if html is not None:
        typer.echo(f"page: {html}", err=json)
        if open_page:
            typer.launch(html.resolve().as_uri())


def _in_folder(told: list[str]) -> tuple[str, dict[str, list[Path]], Sequence[str]] | None:
    """Return name, arms and notes of the study in this folder; None if the argument is not a study's folder."""
    from webgym.study.outcome import arms_in, left_out
    from webgym.study.progress import RESULT_FILE, load_result

    folder = Path(told[0])
    if len(told) != 1 or not (folder / RESULT_FILE).is_file():
        return None
    return load_result(folder).name, arms_in(folder), left_out(folder)


def _arms(told: list[str]) -> dict[str, list[Path]]:
    from webgym.errors import ConfigError
    from webgym.store.read import locate

    arms: dict[str, list[Path]] = {}
    for one in told:
        name, equals, runs = one.rpartition("=")
        if not equals or not name or not runs:
            raise ConfigError(f"an arm has the form NAME=RUN[,RUN…], not {one!r}")
        if name in arms:
            raise ConfigError(f"arm {name!r} is given twice: list all of its runs after one NAME=, separated by commas")
        arms[name] = [locate(Path(run)) for run in runs.split(",") if run]
        if not arms[name]:
            raise ConfigError(f"{one!r} has no run: an arm has the form NAME=RUN[,RUN…]")
    return arms

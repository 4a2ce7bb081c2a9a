"""`webgym study show`: compare training runs by arm, over seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER | NAME=RUN[,RUN…]…",
            help="The folder of a study, or arms, each with its training runs: one per seed.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare the arms of a study: success before and after training on unseen tasks, over seeds.

    Every arm is also compared with the first one. Runs without evaluations are
    compared by what needs none: training time, lag and clipping.

    For example: webgym study show 1/k=runs/k0,runs/k1,runs/k2
    1/len=runs/t0,runs/t1,runs/t2
    """
    import msgspec
    from rich.console import Console

    from webgym.cli.study.tables import print_study
    from webgym.pipeline.study.compare import study

    found = study(_in_folder(arms) or _arms(arms))
    if json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    print_study(found, Console(highlight=False))


def _in_folder(told: list[str]) -> dict[str, list[Path]] | None:
    """Return the arms of the study in this folder, or None if the argument is not a study's folder."""
    from webgym.pipeline.study.outcome import arms_in
    from webgym.pipeline.study.progress import RESULT_FILE

    folder = Path(told[0])
    return arms_in(folder) if len(told) == 1 and (folder / RESULT_FILE).is_file() else None


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

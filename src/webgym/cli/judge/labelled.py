"""`webgym judge import`: labelled attempts to calibrate judges on."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.judge import options
from webgym.cli.outputs import new_folder

_MOST_TOLD = 10


class DatasetFormat(enum.StrEnum):
    """The format of a labelled dataset."""

    AGENT_REWARD_BENCH = "agent-reward-bench"
    CUA_VERIFIER_BENCH = "cua-verifier-bench"
    ONLINE_MIND2WEB = "online-mind2web"


def bring(
    form: Annotated[DatasetFormat, typer.Argument(metavar="FORMAT", help="Format of the dataset.")],
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Folder of the dataset.")],
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder of the run to write.")],
    json: options.AsJson = False,
) -> None:
    """Import a human-labelled dataset as a run with labels.

    The run can be browsed with `webgym view` and used by `webgym judge
    calibrate`. After a crash, run the same command again to add what is
    missing. Nothing is downloaded: get the dataset first, and mind its licence.

    For example:

    webgym judge import agent-reward-bench ~/data/agent-reward-bench runs/arb
    """
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.judge.calibration.imports.formats import read
    from webgym.judge.calibration.labelled import write_labelled

    left_out: list[str] = []
    console = Console(stderr=json)
    with console.status(f"importing {form.value}"):
        items = read(form.value, folder, left_out.append)
        count = anyio.run(write_labelled, out, out.name, items, f"webgym judge import {form.value}")
    if json:
        print(msgspec.json.encode({"attempts": count, "left_out": left_out, "run": str(out)}).decode())
    for line in left_out[:_MOST_TOLD]:
        console.print(f"skipped: {line}", markup=False)
    if len(left_out) > _MOST_TOLD:
        console.print(f"and {len(left_out) - _MOST_TOLD} more; --json lists all")
    console.print(f"{count} labelled attempts in {out}", markup=False)

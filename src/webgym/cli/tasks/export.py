"""`webgym tasks export`: export a task set for other tools."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.outputs import new_file
from webgym.cli.tasks.options import SetName


class TaskFileFormat(enum.StrEnum):
    """A file format of exported tasks."""

    PUBLISHED = "published"
    JSONL = "jsonl"
    PARQUET = "parquet"
    TASKS = "tasks"


def export(
    name: SetName,
    out: Annotated[Path, typer.Option("--out", "-o", callback=new_file, help="The file to write.")],
    form: Annotated[
        TaskFileFormat,
        typer.Option(
            "--format",
            help="published: JSON Lines with the published fields and any extra fields of the source. jsonl: the same "
            "plus WebGym's own fields under `webgym`, lossless. parquet: WebGym's columns. tasks: a `tasks.file` "
            "for runs.",
        ),
    ] = TaskFileFormat.PUBLISHED,
) -> None:
    """Write a task set, or one split of it, to a file.

    For example: webgym tasks export sets/mine:train --out train.jsonl
    """
    import datetime as dt

    from webgym.tasks.exporting import export_set
    from webgym.tasks.sets import open_set

    written, left = export_set(open_set(name), form.value, out, dt.datetime.now(tz=dt.UTC).date())
    typer.echo(f"{written:,} tasks written to {out}")
    if left:
        typer.echo(f"  {left:,} skipped: encrypted tasks are never exported in plain text")

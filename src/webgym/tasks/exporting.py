"""Export of task sets to other formats."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Literal

import msgspec

from webgym.errors import ConfigError
from webgym.files import drafted
from webgym.tasks.arrow import compute
from webgym.tasks.lines import write_lines
from webgym.tasks.sets import TaskSet, write_parquet
from webgym.tasks.task_from_row import task_of

Format = Literal["published", "jsonl", "parquet", "tasks"]


def export_set(tasks: TaskSet, form: Format, path: Path, today: dt.date) -> tuple[int, int]:
    """Write a set to a new file; return how many tasks were written, and how many were left out as sealed.

    `published`: the published format, with the source's extra fields. `jsonl`: the same plus our own fields, lossless.
    `parquet`: our columns. `tasks`: as runs read them, with dates filled in for today.

    Raises:
        ConfigError: The file already exists.
    """
    if path.exists():
        raise ConfigError(f"{path} already exists: choose another file")
    path.parent.mkdir(parents=True, exist_ok=True)
    clear = tasks.where(compute().equal(tasks.table["sealed"].cast("string"), ""))
    with drafted(path) as draft:
        match form:
            case "published":  # without our fields, nobody could tell that a text is sealed
                written = write_lines(draft, clear.rows(), ours=False)
            case "jsonl":
                written = write_lines(draft, tasks.rows())
            case "parquet":
                write_parquet(tasks.table, draft)
                written = len(tasks)
            case "tasks":
                written = _write_tasks(draft, clear, today)
    return written, len(tasks) - written


def _write_tasks(path: Path, tasks: TaskSet, today: dt.date) -> int:
    count = 0
    with path.open("wb") as file:
        for row in tasks.rows():
            file.write(msgspec.json.encode(task_of(row, today)) + b"\n")
            count += 1
    return count

"""JSON Lines with per-line error handling: one bad line does not affect the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import TaskSetError
from webgym.records.task_row import TaskRow
from webgym.tasks.problem import Problem
from webgym.tasks.published import write_published

LONGEST_LINE = 32 * 2**20
_MARK = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[tuple[int, Any | Problem]]:
    """Yield each non-blank line's number with its value, or the problem with it.

    Raises:
        TaskSetError: The file cannot be read.
    """
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                text = line.removeprefix(_MARK) if number == 1 else line
                if text.strip():
                    yield number, _parse(text, path.name, number)
    except OSError as error:
        raise TaskSetError(f"{path} cannot be read: {error.strerror}") from error


def write_lines(path: Path, rows: Iterable[TaskRow], *, ours: bool = True) -> int:
    """Write one row per line; return how many. `ours` adds the fields that the published format lacks."""
    count = 0
    with path.open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(write_published(row, ours=ours)) + b"\n")
            count += 1
    return count


def _parse(line: bytes, file: str, number: int) -> Any | Problem:
    if len(line) > LONGEST_LINE:
        return Problem(file, number, f"a line of {len(line):,} bytes; the longest allowed has {LONGEST_LINE:,}")
    try:
        return msgspec.json.decode(line)
    except UnicodeDecodeError:
        return Problem(file, number, "not in UTF-8")
    except (msgspec.DecodeError, RecursionError) as error:
        return Problem(file, number, _why(line, error))


def _why(line: bytes, error: Exception) -> str:
    try:
        line.decode()
    except UnicodeDecodeError:
        return "not in UTF-8"
    return f"broken JSON: {error}"

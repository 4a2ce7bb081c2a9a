"""Reads entries from JSON Lines, JSON, CSV or Parquet files, each with its position."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec

from webgym.errors import TaskSetError
from webgym.tasks.arrow import arrow, parquet
from webgym.tasks.lines import read_lines
from webgym.tasks.problem import Problem

Found = tuple[int, dict[str, Any] | Problem]
_LONGEST_FIELD = 2**26
_KNOWN = ".jsonl, .ndjson, .json, .csv, .tsv or .parquet"


def read_entries(path: Path) -> Iterator[Found]:
    """Yield every entry with its line or its index in the list; an unreadable one as a `Problem`.

    Raises:
        TaskSetError: There is no such file, or its suffix is unknown.
    """
    if not path.is_file():
        raise TaskSetError(f"there is no file {path}")
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            found = read_lines(path)
        case ".json":
            found = _json(path)
        case ".csv":
            found = _csv(path, ",")
        case ".tsv":
            found = _csv(path, "\t")
        case ".parquet":
            found = _parquet(path)
        case _:
            raise TaskSetError(f"{path} has an unsupported file type: use {_KNOWN}")
    for line, entry in found:
        if isinstance(entry, dict | Problem):
            yield line, cast("dict[str, Any] | Problem", entry)
        else:
            yield line, Problem(path.name, line, "not a JSON object")


def _json(path: Path) -> Iterator[tuple[int, Any]]:
    """Read a list, or an object that contains one list."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        told = msgspec.json.decode(data)
    except UnicodeDecodeError as error:
        yield 0, Problem(path.name, data[: error.start].count(b"\n") + 1, "not in UTF-8")
        return
    except (msgspec.DecodeError, RecursionError) as error:
        yield 0, Problem(path.name, 0, f"broken JSON: {error}; a list cannot be read in part, JSON Lines can")
        return
    values = list(cast("dict[str, Any]", told).values()) if isinstance(told, dict) else [told]
    lists = [cast("list[Any]", value) for value in values if isinstance(value, list)]
    if len(lists) != 1:
        yield 0, Problem(path.name, 0, "neither a list of tasks nor an object with one list in it")
        return
    yield from enumerate(lists[0], start=1)


def _csv(path: Path, delimiter: str) -> Iterator[tuple[int, Any]]:
    csv.field_size_limit(_LONGEST_FIELD)
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        rows = csv.DictReader(file, delimiter=delimiter)
        try:
            for row in rows:
                yield rows.line_num, _checked(row, path.name, rows.line_num)
        except csv.Error as error:
            yield rows.line_num, Problem(path.name, rows.line_num, f"broken CSV: {error}; nothing was read after it")


def _checked(row: dict[str | None, Any], file: str, line: int) -> dict[str, Any] | Problem:
    if None in row:
        return Problem(file, line, "more fields than the header names")
    told = cast("dict[str, Any]", row)
    if any(isinstance(value, str) and not _is_clean(value) for value in told.values()):
        return Problem(file, line, "not in UTF-8")
    return told


def _is_clean(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parquet(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        batches = parquet().ParquetFile(path).iter_batches(batch_size=4096)
        yield from enumerate((row for batch in batches for row in batch.to_pylist()), start=1)
    except (OSError, arrow().ArrowInvalid) as error:
        yield 0, Problem(path.name, 0, f"broken Parquet: {error}")

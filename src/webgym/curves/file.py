"""The curve of a run on disk: a JSON Lines file with one line per iteration."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.records.curve import CURVE_VERSION, Iteration

_BACK = 4096
"""Bytes to read at a time when searching backwards for the end of the last complete line."""


def append(path: Path, iteration: Iteration) -> None:
    """Append an iteration durably, after removing a line that a crash left incomplete.

    Raises:
        StoreError: The iteration holds a number that JSON cannot represent.
    """
    line = _line(iteration)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("ab+") as file:
        end = _end_of_whole_lines(file.fileno())
        file.truncate(end)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        _sync_folder(path.parent)


def read(path: Path) -> list[Iteration]:
    """Read all iterations in order; none if there is no file. Of duplicates, the later line counts.

    An incomplete last line is skipped.

    Raises:
        StoreError: A line is damaged, or of a newer version.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    whole = data[: data.rfind(b"\n") + 1]
    lines = enumerate(whole.splitlines(), 1)
    return in_order(_parse(line, f"{path}, line {number}") for number, line in lines if line.strip())


def in_order(iterations: Iterable[Iteration]) -> list[Iteration]:
    """Sort iterations, keeping the latest of each: a resumed run may repeat some."""
    found = {iteration.iteration: iteration for iteration in iterations}
    return [found[number] for number in sorted(found)]


def readable(iteration: Iteration) -> Iteration:
    """Drop non-finite figures, which JSON cannot represent."""
    learned = iteration.learned
    if learned is None or all(map(math.isfinite, learned.figures.values())):
        return iteration
    figures = {name: value for name, value in learned.figures.items() if math.isfinite(value)}
    return msgspec.structs.replace(iteration, learned=msgspec.structs.replace(learned, figures=figures))


def _line(iteration: Iteration) -> bytes:
    line = msgspec.json.encode(readable(iteration))
    _parse(line, f"iteration {iteration.iteration}")
    return line + b"\n"


def _parse(line: bytes, where: str) -> Iteration:
    try:
        iteration = msgspec.json.decode(line, type=Iteration)
    except msgspec.DecodeError as error:
        raise StoreError(f"{where} cannot be read: {error}") from error
    if iteration.version_of > CURVE_VERSION:
        raise StoreError(f"{where} is of version {iteration.version_of}; this WebGym reads up to {CURVE_VERSION}")
    return iteration


def _end_of_whole_lines(file: int) -> int:
    end = os.fstat(file).st_size
    while end > 0:
        start = max(0, end - _BACK)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

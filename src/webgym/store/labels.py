"""Labels of people, beside the run they are about: a file that only grows, one line of JSON for each."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.records.label import LABEL_VERSION, Label

LABELS_FILE = "labels.jsonl"


def labels_path(run: Path) -> Path:
    """Where the labels of the run in this folder are."""
    return run / LABELS_FILE


def append_label(path: Path, label: Label) -> None:
    """Add one label: see `append_labels`."""
    append_labels(path, (label,))


def append_labels(path: Path, labels: Sequence[Label]) -> None:
    """Add labels; they survive a crash once this returns. Several processes may do so at once.

    Raises:
        StoreError: It says of a fact what can only be said of an attempt or the reverse, or the disk refuses.
    """
    for label in labels:
        if not label.fitting:
            about = "a whole attempt" if label.about is None else "a fact"
            raise StoreError(f"{label.verdict!r} cannot be said of {about}")
    if not labels:
        return
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # What a crash cut short stays a line of its own.
            opening = b"\n" if _cut_short(handle) else b""
            _write(handle, opening + b"".join(msgspec.json.encode(label) + b"\n" for label in labels))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def read_labels(path: Path) -> list[Label]:
    """Every label, the oldest first; none if there is no file. A line that a crash cut short is left out.

    Raises:
        StoreError: A whole line is not a label, or one of a newer WebGym; the message says which.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    lines = data.split(b"\n")
    found: list[Label] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            label = _label(path, number, line)
            if label is not None:
                found.append(label)
    return found


def newest(labels: Iterable[Label]) -> list[Label]:
    """What each person says now of each fact and attempt: later words replace earlier ones, withdrawn ones are gone."""
    standing: dict[tuple[str, str, tuple[int, int] | None], Label] = {}
    for label in labels:
        about = None if label.about is None else (label.about.group, label.about.fact)
        key = (label.attempt_id, label.who, about)
        standing.pop(key, None)
        if label.verdict != "withdrawn":
            standing[key] = label
    return list(standing.values())


def _label(path: Path, number: int, line: bytes) -> Label | None:
    try:
        label = msgspec.json.decode(line, type=Label)
    except msgspec.ValidationError as error:
        raise StoreError(f"{path}, line {number}: {error}") from error
    except msgspec.DecodeError as error:
        # A label never holds a line break, so what does not end as an object was cut short.
        if not line.rstrip().endswith(b"}"):
            return None
        raise StoreError(f"{path}, line {number} is damaged: {error}") from error
    if label.version > LABEL_VERSION:
        raise StoreError(f"{path}, line {number} was written by a newer WebGym (label version {label.version})")
    if not label.fitting:
        raise StoreError(f"{path}, line {number}: {label.verdict!r} cannot be said there")
    return label


def _cut_short(handle: int) -> bool:
    size = os.fstat(handle).st_size
    return size > 0 and os.pread(handle, 1, size - 1) != b"\n"


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]

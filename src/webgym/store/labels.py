"""Human labels, stored beside their run in an append-only JSON Lines file."""

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
    """Return the path of the run's labels file."""
    return run / LABELS_FILE


def append_label(path: Path, label: Label) -> None:
    """Append one label: see `append_labels`."""
    append_labels(path, (label,))


def append_labels(path: Path, labels: Sequence[Label]) -> None:
    """Append labels durably. Safe to call from several processes at once.

    Raises:
        StoreError: A label's verdict is invalid for what it labels, or the file cannot be written.
    """
    for label in labels:
        if not label.fitting:
            about = "a whole attempt" if label.about is None else "a fact"
            raise StoreError(f"the verdict {label.verdict!r} does not apply to {about}")
    if not labels:
        return
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # Keep a line that a crash truncated separate from the new ones.
            opening = b"\n" if _cut_short(handle) else b""
            _write(handle, opening + b"".join(msgspec.json.encode(label) + b"\n" for label in labels))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def read_labels(path: Path) -> list[Label]:
    """Return all labels, oldest first; none if there is no file. Lines that a crash truncated are skipped.

    Raises:
        StoreError: A complete line is not a label, or was written by a newer WebGym; the message says which.
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
    """Return each person's current label of each fact and attempt: the newest, unless withdrawn."""
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
        # An encoded label has no line break, so a line that does not end like an object was truncated.
        if not line.rstrip().endswith(b"}"):
            return None
        raise StoreError(f"{path}, line {number} is damaged: {error}") from error
    if label.version > LABEL_VERSION:
        raise StoreError(f"{path}, line {number} was written by a newer WebGym (label version {label.version})")
    if not label.fitting:
        raise StoreError(f"{path}, line {number}: the verdict {label.verdict!r} does not apply there")
    return label


def _cut_short(handle: int) -> bool:
    size = os.fstat(handle).st_size
    return size > 0 and os.pread(handle, 1, size - 1) != b"\n"


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]

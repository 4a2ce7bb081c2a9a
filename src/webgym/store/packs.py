"""Append-only pack files of pictures.

A pack is a sequence of records: magic, length, SHA-256, bytes. Only the index in the database knows where each picture
is; bytes that are not in the index were never committed, and are cut off when the run is next opened for writing.
"""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path
from typing import BinaryIO, NamedTuple

from webgym.errors import StoreError

PACK_FOLDER = "images"
_HEADER = struct.Struct("<4sI32s")
_MAGIC = b"WGP1"


class PackLocation(NamedTuple):
    """Location of a picture."""

    pack: int
    offset: int
    """Offset of the record in the pack."""
    length: int
    """Size of the picture in bytes, without the record's header."""

    @property
    def end(self) -> int:
        return self.offset + _HEADER.size + self.length


def pack_path(folder: Path, pack: int) -> Path:
    return folder / PACK_FOLDER / f"{pack:06d}.pack"


class PackWriter:
    """Appends to one pack at a time."""

    def __init__(self, folder: Path, pack: int, size: int) -> None:
        self._folder = folder
        self.pack = pack
        self.size = size
        """Size in bytes, including unflushed data."""
        self._file: BinaryIO | None = None

    def append(self, data: bytes) -> PackLocation:
        if self._file is None:
            self._file = pack_path(self._folder, self.pack).open("ab")
        place = PackLocation(self.pack, self.size, len(data))
        self._file.write(_HEADER.pack(_MAGIC, len(data), hashlib.sha256(data).digest()))
        self._file.write(data)
        self.size = place.end
        return place

    def flush(self, *, to_disk: bool = False) -> None:
        """Flush to the OS, to survive a crash of this process; with `to_disk` fsync, to survive one of the machine."""
        if self._file is not None:
            self._file.flush()
            if to_disk:
                os.fsync(self._file.fileno())

    def turn_to(self, pack: int) -> None:
        """Close this pack and start another."""
        self.close()
        self.pack, self.size = pack, 0

    def close(self) -> None:
        if self._file is not None:
            self.flush(to_disk=True)
            self._file.close()
            self._file = None


def read_at(folder: Path, place: PackLocation) -> bytes:
    """Return the bytes at a place. Thread-safe.

    Opens the pack on every call: an open handle would keep the disk space of a deleted pack in use, and a run that
    reads its own pictures would exceed its budget.

    Raises:
        FileNotFoundError: The pack is gone; the index may have the new place.
        StoreError: The record is damaged.
    """
    path = pack_path(folder, place.pack)
    data = _checked(_record(path, place), place)
    if data is None:
        raise StoreError(f"{path} is damaged at byte {place.offset}")
    return data


def is_whole(folder: Path, place: PackLocation) -> bool:
    """Return whether the record at this place is intact."""
    try:
        return _checked(_record(pack_path(folder, place.pack), place), place) is not None
    except OSError:
        return False


def _record(path: Path, place: PackLocation) -> bytes:
    with path.open("rb", buffering=0) as file:
        return os.pread(file.fileno(), _HEADER.size + place.length, place.offset)


def _checked(record: bytes, place: PackLocation) -> bytes | None:
    if len(record) != _HEADER.size + place.length:
        return None
    magic, length, digest = _HEADER.unpack_from(record)
    data = record[_HEADER.size :]
    sound = magic == _MAGIC and length == place.length and hashlib.sha256(data).digest() == digest
    return data if sound else None

"""Checksums of stored rows: SQLite notices damage to the structure of its file, not to what is stored in it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec

from webgym.errors import StoreError

_encoder = msgspec.msgpack.Encoder()


def checksum(values: Sequence[str | bytes | float | None]) -> int:
    """Return the checksum of the values of a row."""
    return zlib.crc32(_encoder.encode(values))


def check(values: Sequence[str | bytes | float | None], expected: int | None, what: str) -> None:
    """Check a row against its checksum. Rows that a WebGym without checksums wrote have none.

    Raises:
        StoreError: They do not match.
    """
    if expected is not None and checksum(values) != expected:
        raise StoreError(f"{what} is damaged: it is not what was written. Restore run.sqlite from a copy")

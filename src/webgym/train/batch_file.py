"""Batches on disk, so that a training step can be repeated."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.records.sample import BATCH_VERSION, Batch


class _Head(Record, frozen=True):
    version_of: int = 0


class _File(Record, frozen=True, omit_defaults=False):
    batch: Batch
    version_of: int = BATCH_VERSION


def write_batch(path: Path, batch: Batch) -> None:
    """Write a batch atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.msgpack.encode(_File(batch)), durable=True)


def read_batch(path: Path) -> Batch:
    """Read a batch file.

    Raises:
        StoreError: It is missing, damaged, or of a version that this WebGym cannot read.
    """
    try:
        data = path.read_bytes()
        # Check the version first: the rest of another version's file may look like anything.
        version = msgspec.msgpack.decode(data, type=_Head).version_of
        if version == BATCH_VERSION:
            return msgspec.msgpack.decode(data, type=_File).batch
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"the batch {path} cannot be read: {error}") from None
    if not version:
        raise StoreError(f"the batch {path} has no format version: it was written by an older WebGym")
    raise StoreError(f"the batch {path} is of version {version}; this WebGym reads up to {BATCH_VERSION}")

"""Batches on disk: what a trainer learns from, kept so that it can be learned from again."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.records.sample import Batch


def write_batch(path: Path, batch: Batch) -> None:
    """Whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    with draft.open("wb") as file:
        file.write(msgspec.msgpack.encode(batch))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_batch(path: Path) -> Batch:
    """A batch as it was written.

    Raises:
        StoreError: It is missing or damaged.
    """
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Batch)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"the batch {path} cannot be read: {error}") from None

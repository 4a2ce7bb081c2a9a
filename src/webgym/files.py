"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def drafted(path: Path, *, durable: bool = False) -> Generator[Path]:
    """A path to write to, that takes the place of `path` when the block ends; if it fails, everything stays as it was.

    `durable`: what was written is on disk before it has that name, so that a machine that crashes keeps one or the
    other whole. Blocks.
    """
    # Hidden, and of this process alone: several may write one file, and the last one's stays.
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
        if durable:
            with draft.open("rb") as file:
                os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes | str, *, durable: bool = False, private: bool = False) -> None:
    """Write a file, or replace it, in a folder that is there. `private`: nobody else may read it."""
    with drafted(path, durable=durable) as draft:
        draft.touch(0o600 if private else 0o666)
        draft.write_bytes(data.encode() if isinstance(data, str) else data)

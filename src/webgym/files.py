"""Atomic file writes: a file exists complete or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def drafted(path: Path, *, durable: bool = False) -> Generator[Path]:
    """Yield a temporary path that replaces `path` when the block succeeds; on failure `path` is untouched.

    `durable`: fsync before the rename, so that after a machine crash either the old or the new file is intact. Blocks.
    """
    # Hidden, and named for this process: several processes may write the same file, and the last one wins.
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
    """Atomically write or replace a file in an existing folder. `private`: only the owner may read it."""
    with drafted(path, durable=durable) as draft:
        draft.touch(0o600 if private else 0o666)
        draft.write_bytes(data.encode() if isinstance(data, str) else data)


def hindrance(path: Path, *, folder: bool = False) -> str:
    """Return why a file (or folder) cannot be written here, or "". Missing parents are no obstacle. Leaves no trace.

    Tries to write: permission bits tell nothing about read-only file systems or root.
    """
    try:
        if _is_there(path) and path.is_dir() != folder:
            return "it is not a folder" if folder else "it is a folder"
        if _is_there(path) and not folder:
            return "" if os.access(path, os.W_OK) else os.strerror(errno.EACCES)
        place = next(folder for folder in (path, *path.absolute().parents) if _is_there(folder))
    except OSError as error:
        return error.strerror or str(error)
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return f"cannot create files in {place} ({error.strerror})"


def _is_there(path: Path) -> bool:
    """Like `Path.exists`, which swallows more errors, and different ones in each Python version."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True

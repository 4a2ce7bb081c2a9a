"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
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


def hindrance(path: Path, *, folder: bool = False) -> str:
    """Why no file, or no folder, can be written here; empty if it can. Folders that lack may be made. Leaves no trace.

    Only trying tells: permissions say nothing about what kind of file system it is, or about root.
    """
    try:
        if _is_there(path) and path.is_dir() != folder:
            return "it is no folder" if folder else "it is a folder"
        if _is_there(path) and not folder:
            return "" if os.access(path, os.W_OK) else os.strerror(errno.EACCES)
        place = next(one for one in (path, *path.absolute().parents) if _is_there(one))
    except OSError as error:
        return error.strerror or str(error)
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return f"nothing can be made in {place} ({error.strerror})"


def _is_there(path: Path) -> bool:
    """`exists` takes more errors for a no, and other ones in each version of Python."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True

"""The journal of task writing: the paid replies of all its runs, for one process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from webgym.errors import StoreError, TaskSetError
from webgym.llm.reply_file import FileReplyStore


@contextmanager
def open_journal(path: Path) -> Generator[FileReplyStore]:
    """Open a journal for exclusive use by this process.

    Raises:
        TaskSetError: Another process uses it, or the file is not a journal.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TaskSetError(f"another run is writing to {path}: wait for it, or choose another --journal") from None
        try:
            replies = FileReplyStore(path)
        except StoreError as error:
            raise TaskSetError(f"{path} is not a journal: {error}") from error
        with closing(replies):
            yield replies
    finally:
        os.close(lock)

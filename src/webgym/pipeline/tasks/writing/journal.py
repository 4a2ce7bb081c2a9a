"""A journal of all model replies, keyed by request, which is also the cost ledger.

The key is a hash of the whole request, so that a restarted run only asks what has no reply yet, however the last run
ended. A written reply survives a kill of the process; a sync every second limits the loss at a power failure to the
last second.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from webgym.errors import TaskSetError
from webgym.records.base import Record

JOURNAL_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL,
  finish TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, sampled_tokens INTEGER NOT NULL, dollars REAL NOT NULL
) WITHOUT ROWID;
"""


class Said(Record, frozen=True):
    """A model's reply to one request, and its cost."""

    kind: str
    """The kind of request: `enrich`, `rewrite` or `check`."""
    task: str
    model: str
    text: str
    finish: Literal["stop", "length", "tool", "refused"]
    prompt_tokens: int
    sampled_tokens: int
    dollars: float


class Spent(Record, frozen=True):
    """The total cost of one kind of request."""

    replies: int
    prompt_tokens: int
    sampled_tokens: int
    dollars: float


class Journal:
    """An SQLite journal of replies. Created by `open_journal`."""

    def __init__(self, path: Path) -> None:
        # Autocommit: every statement reaches the operating system at once; `sync` waits for the disk.
        self._book = sqlite3.connect(path, isolation_level=None)
        self._path = path
        try:
            self._prepare()
        except BaseException:
            self._book.close()
            raise

    def _prepare(self) -> None:
        self._book.execute("PRAGMA journal_mode=WAL")
        self._book.execute("PRAGMA synchronous=NORMAL")
        version: int = self._book.execute("PRAGMA user_version").fetchone()[0]
        if version > JOURNAL_VERSION:
            raise TaskSetError(f"{self._path} has format version {version}; this WebGym reads up to {JOURNAL_VERSION}")
        self._book.execute(f"PRAGMA user_version={JOURNAL_VERSION}")
        self._book.executescript(_SCHEMA)

    def find(self, key: str) -> Said | None:
        """Return the reply to this request, if there is one."""
        row = self._book.execute(f"SELECT {_FIELDS} FROM replies WHERE key = ?", (key,)).fetchone()  # noqa: S608
        return None if row is None else Said(*row)

    def keep(self, key: str, said: Said) -> None:
        """Store a reply; it survives a kill of the process once this returns."""
        values = (key, *(getattr(said, name) for name in Said.__struct_fields__))
        marks = ", ".join("?" * len(values))
        self._book.execute(f"INSERT OR IGNORE INTO replies (key, {_FIELDS}) VALUES ({marks})", values)  # noqa: S608

    def spent(self) -> dict[str, Spent]:
        """Return the total cost by kind of request, over all runs."""
        rows = self._book.execute(
            "SELECT kind, count(*), sum(prompt_tokens), sum(sampled_tokens), sum(dollars) FROM replies GROUP BY kind"
        )
        return {kind: Spent(*rest) for kind, *rest in rows}

    @property
    def dollars(self) -> float:
        """Dollars spent so far, over all runs."""
        return sum(one.dollars for one in self.spent().values())

    def sync(self) -> None:
        """Sync everything to disk. Thread-safe: it uses its own connection."""
        book = sqlite3.connect(self._path)
        try:
            book.execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            book.close()

    def close(self) -> None:
        self._book.close()


_FIELDS = ", ".join(Said.__struct_fields__)


@contextmanager
def open_journal(path: Path) -> Generator[Journal]:
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
            journal = Journal(path)
        except sqlite3.DatabaseError as error:
            raise TaskSetError(f"{path} is not a journal: {error}") from error
        try:
            yield journal
        finally:
            journal.close()
    finally:
        os.close(lock)

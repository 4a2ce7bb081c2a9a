"""The cache of model replies, which is also the cost ledger.

The key is a hash of the whole request, text and pictures, so that no reply is paid for twice: not by a resumed run, and
not by identical attempts.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal, Protocol

from webgym.errors import StoreError
from webgym.records.base import Record
from webgym.records.verdict import Spent

MEMORY_VERSION = 1


class Said(Record, frozen=True):
    """A model's reply to one request, and its cost."""

    key: str
    attempt: str
    kind: str
    """The kind of request: `relevance`, `blocked`, `verdict` or `whole`."""
    model: str
    text: str
    finish: Literal["stop", "length", "tool", "refused"]
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    pictures: int = 0
    picture_bytes: int = 0
    dollars: float = 0.0


class ReplyCache(Protocol):
    """Storage for replies."""

    def find(self, key: str) -> Said | None:
        """Return the reply to this request, if there is one."""
        ...

    def keep(self, said: Said) -> None:
        """Store a reply; it is as durable as it gets when this returns."""
        ...

    def was_clear(self, key: str) -> None:
        """Mark the reply as usable."""
        ...


class MemoryReplyCache:
    """Keeps the most recent replies for the lifetime of the process."""

    def __init__(self, most: int = 4096) -> None:
        self._said: dict[str, Said] = {}
        self._most = most

    def find(self, key: str) -> Said | None:
        return self._said.get(key)

    @property
    def dollars(self) -> float:
        """Dollars spent before this process started: always 0."""
        return 0.0

    def keep(self, said: Said) -> None:
        """Store a reply, evicting the oldest when full."""
        self._said[said.key] = said
        if len(self._said) > self._most:
            del self._said[next(iter(self._said))]

    def was_clear(self, key: str) -> None:
        """Do nothing."""
        del key


_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL, attempt TEXT NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
  text TEXT NOT NULL, finish TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, sampled_tokens INTEGER NOT NULL,
  pictures INTEGER NOT NULL, picture_bytes INTEGER NOT NULL, dollars REAL NOT NULL,
  clear INTEGER NOT NULL DEFAULT 0, void INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX IF NOT EXISTS replies_by_key ON replies (key) WHERE void = 0;
CREATE INDEX IF NOT EXISTS replies_by_attempt ON replies (attempt);
"""
_FIELDS = ", ".join(Said.__struct_fields__)
_SUMS = "count(*), 0, sum(prompt_tokens), sum(sampled_tokens), sum(pictures), sum(picture_bytes), sum(dollars)"
"""In the field order of `Spent`."""


class FileReplyCache:
    """Keeps replies in an SQLite file that survives a kill of the process. Not thread-safe."""

    def __init__(self, path: Path) -> None:
        # Autocommit: every statement has reached the operating system when it returns.
        self._book = sqlite3.connect(path, isolation_level=None)
        try:
            version = self._prepare()
        except sqlite3.DatabaseError as error:
            self._book.close()
            raise StoreError(f"{path} is not a cache of judge replies: {error}") from error
        if version > MEMORY_VERSION:
            self._book.close()
            raise StoreError(f"{path} has format version {version}; this WebGym reads up to {MEMORY_VERSION}")

    def _prepare(self) -> int:
        version: int = self._book.execute("PRAGMA user_version").fetchone()[0]
        if version <= MEMORY_VERSION:
            self._book.execute("PRAGMA journal_mode=WAL")
            self._book.execute("PRAGMA synchronous=NORMAL")
            self._book.execute(f"PRAGMA user_version={MEMORY_VERSION}")
            self._book.executescript(_SCHEMA)
        return version

    def find(self, key: str) -> Said | None:
        """Return the reply to this request from any run that used this file."""
        query = f"SELECT {_FIELDS} FROM replies WHERE key = ? AND void = 0"  # noqa: S608 - our own column names
        row = self._book.execute(query, (key,)).fetchone()
        return None if row is None else Said(*row)

    def keep(self, said: Said) -> None:
        """Store a reply; it survives a kill of the process once this returns."""
        values = [getattr(said, name) for name in Said.__struct_fields__]
        marks = ", ".join("?" * len(values))
        self._book.execute(f"INSERT OR IGNORE INTO replies ({_FIELDS}) VALUES ({marks})", values)  # noqa: S608

    def was_clear(self, key: str) -> None:
        """Mark the reply as usable; usable relevance marks are kept when verdicts are forgotten."""
        self._book.execute("UPDATE replies SET clear = 1 WHERE key = ? AND clear = 0", (key,))

    def forget_verdicts(self, attempt: str) -> None:
        """Void the attempt's replies, so that they are requested anew; costs and usable relevance marks are kept."""
        change = "UPDATE replies SET void = 1 WHERE attempt = ? AND (kind <> 'relevance' OR clear = 0)"
        self._book.execute(change, (attempt,))

    def spent(self) -> dict[str, Spent]:
        """Return the total cost by attempt, charged to the attempt that first made the request."""
        rows = self._book.execute(f"SELECT attempt, {_SUMS} FROM replies GROUP BY attempt")  # noqa: S608
        return {attempt: Spent(*rest) for attempt, *rest in rows}

    def spent_on(self, attempt: str) -> Spent:
        """Return the total cost of one attempt."""
        query = f"SELECT {_SUMS} FROM replies WHERE attempt = ?"  # noqa: S608 - our own column names
        return Spent(*(one or 0 for one in self._book.execute(query, (attempt,)).fetchone()))

    @property
    def dollars(self) -> float:
        """Dollars spent so far, by all runs that used this file."""
        return self._book.execute("SELECT coalesce(sum(dollars), 0) FROM replies").fetchone()[0]

    def by_kind(self) -> dict[str, Spent]:
        """Return the total cost by kind of request."""
        rows = self._book.execute(f"SELECT kind, {_SUMS} FROM replies GROUP BY kind")  # noqa: S608
        return {kind: Spent(*rest) for kind, *rest in rows}

    def close(self) -> None:
        self._book.close()

"""Paid replies in an SQLite file, which is also the cost ledger.

A written reply survives a kill of the process. `sync` limits the loss at a power failure.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from webgym.errors import StoreError
from webgym.llm.paid_reply import PaidReply
from webgym.records.verdict import VerdictCost

REPLIES_VERSION = 2
"""Version 1 was two formats: one named the owner `attempt`, the other `task`. Both are converted when opened."""
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
  text TEXT NOT NULL, finish TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, sampled_tokens INTEGER NOT NULL,
  pictures INTEGER NOT NULL, picture_bytes INTEGER NOT NULL, dollars REAL NOT NULL,
  clear INTEGER NOT NULL DEFAULT 0, void INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
)"""
_INDICES = (
    "CREATE UNIQUE INDEX IF NOT EXISTS replies_by_key ON replies (key) WHERE void = 0",
    "CREATE INDEX IF NOT EXISTS replies_by_owner ON replies (owner)",
)
_BY_ATTEMPT = (
    "ALTER TABLE replies RENAME COLUMN attempt TO owner",
    "DROP INDEX IF EXISTS replies_by_attempt",
)
_BY_TASK = (
    "ALTER TABLE replies RENAME TO former",
    _TABLE,
    """INSERT INTO replies (key, owner, kind, model, text, finish, prompt_tokens, sampled_tokens, pictures,
       picture_bytes, dollars) SELECT key, task, kind, model, text, finish, prompt_tokens, sampled_tokens, 0, 0, dollars
       FROM former""",
    "DROP TABLE former",
)
_FIELDS = ", ".join(PaidReply.__struct_fields__)
_SUMS = "count(*), 0, sum(prompt_tokens), sum(sampled_tokens), sum(pictures), sum(picture_bytes), sum(dollars)"
"""In the field order of `VerdictCost`."""


class FileReplyStore:
    """Keeps replies in a file, from all runs that used it. Not thread-safe, but for `sync`."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            StoreError: It holds something else, or was written by a newer version.
        """
        # Autocommit: every statement has reached the operating system when it returns; `sync` waits for the disk.
        self._book = sqlite3.connect(path, isolation_level=None)
        self._path = path
        try:
            version = self._prepare()
        except sqlite3.DatabaseError as error:
            self._book.close()
            raise StoreError(f"{path} holds no replies of models: {error}") from error
        if version > REPLIES_VERSION:
            self._book.close()
            raise StoreError(f"{path} has format version {version}; this WebGym reads up to {REPLIES_VERSION}")

    def _prepare(self) -> int:
        version: int = self._book.execute("PRAGMA user_version").fetchone()[0]
        if version <= REPLIES_VERSION:
            self._book.execute("PRAGMA journal_mode=WAL")
            self._book.execute("PRAGMA synchronous=NORMAL")
            self._book.execute("BEGIN IMMEDIATE")
            for statement in (*self._conversion(), _TABLE, *_INDICES, f"PRAGMA user_version={REPLIES_VERSION}"):
                self._book.execute(statement)
            self._book.execute("COMMIT")
        return version

    def _conversion(self) -> tuple[str, ...]:
        """Return the statements that turn a table of version 1 into one of this version."""
        columns = {name for _, name, *_ in self._book.execute("PRAGMA table_info(replies)")}
        return _BY_ATTEMPT if "attempt" in columns else _BY_TASK if "task" in columns else ()

    def find(self, key: str) -> PaidReply | None:
        """Return the reply to this request from any run that used this file."""
        query = f"SELECT {_FIELDS} FROM replies WHERE key = ? AND void = 0"  # noqa: S608 - our own column names
        row = self._book.execute(query, (key,)).fetchone()
        return None if row is None else PaidReply(*row)

    def keep(self, reply: PaidReply) -> None:
        """Store a reply; it survives a kill of the process once this returns."""
        values = [getattr(reply, name) for name in PaidReply.__struct_fields__]
        marks = ", ".join("?" * len(values))
        self._book.execute(f"INSERT OR IGNORE INTO replies ({_FIELDS}) VALUES ({marks})", values)  # noqa: S608

    def was_clear(self, key: str) -> None:
        """Mark the reply as usable: `forget` can spare those."""
        self._book.execute("UPDATE replies SET clear = 1 WHERE key = ? AND clear = 0", (key,))

    def forget(self, owner: str, *, spare: str) -> None:
        """Void the owner's replies, so that they are requested anew, but usable ones of the kind `spare`.

        Costs are kept.
        """
        change = "UPDATE replies SET void = 1 WHERE owner = ? AND (kind <> ? OR clear = 0)"
        self._book.execute(change, (owner, spare))

    def spent_on(self, owner: str) -> VerdictCost:
        """Return the total cost of what was first requested for this owner."""
        query = f"SELECT {_SUMS} FROM replies WHERE owner = ?"  # noqa: S608 - our own column names
        return VerdictCost(*(total or 0 for total in self._book.execute(query, (owner,)).fetchone()))

    @property
    def dollars(self) -> float:
        """Dollars spent so far, by all runs that used this file."""
        return self._book.execute("SELECT coalesce(sum(dollars), 0) FROM replies").fetchone()[0]

    def by_kind(self) -> dict[str, VerdictCost]:
        """Return the total cost by kind of request."""
        rows = self._book.execute(f"SELECT kind, {_SUMS} FROM replies GROUP BY kind")  # noqa: S608
        return {kind: VerdictCost(*rest) for kind, *rest in rows}

    def sync(self) -> None:
        """Sync everything to disk. Thread-safe: it uses its own connection."""
        book = sqlite3.connect(self._path)
        try:
            book.execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            book.close()

    def close(self) -> None:
        self._book.close()

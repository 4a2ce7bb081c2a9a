"""The outcomes of all attempts, in one SQLite file shared by all runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from webgym.errors import TaskSetError
from webgym.records.base import Record

BOOK_VERSION = 1
Fate = Literal["success", "failure", "blocked", "error"]
_SCHEMA = """
CREATE TABLE IF NOT EXISTS attempts (
  run TEXT NOT NULL, attempt TEXT NOT NULL, task TEXT NOT NULL, site TEXT NOT NULL, fate TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (run, attempt)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_site ON attempts (site, at);
CREATE INDEX IF NOT EXISTS by_task ON attempts (task, at);
CREATE TABLE IF NOT EXISTS quarantine (
  kind TEXT NOT NULL, name TEXT NOT NULL, since REAL NOT NULL, until REAL NOT NULL, times INTEGER NOT NULL,
  reason TEXT NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
"""

_RECORD = """
INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run, attempt) DO UPDATE
SET fate = excluded.fate, at = excluded.at WHERE fate = 'error' AND excluded.at > at
"""


class Result(Record, frozen=True):
    """The outcome of one attempt. Truncated ones count as failures; cancelled and unjudged ones are not recorded."""

    run: str
    attempt: str
    task: str
    site: str
    fate: Fate
    at: float
    """When it ended, in Unix time."""


class Rates(Record, frozen=True):
    """The outcomes of a task or a website."""

    name: str
    attempts: int
    successes: int
    failures: int
    blocked: int
    errors: int

    @property
    def success_rate(self) -> float | None:
        """Share of successes among judged attempts; None if there are none."""
        valid = self.successes + self.failures
        return self.successes / valid if valid else None

    @property
    def blocked_rate(self) -> float:
        """Share of all attempts."""
        return self.blocked / self.attempts if self.attempts else 0.0

    @property
    def error_rate(self) -> float:
        """Share of all attempts."""
        return self.errors / self.attempts if self.attempts else 0.0


class QuarantineEntry(Record, frozen=True):
    """A quarantined task or website."""

    kind: Literal["site", "task"]
    name: str
    since: float
    until: float
    times: int
    """Consecutive quarantines, this one included."""
    reason: str


class HealthDatabase:
    """The attempts of all runs, and the quarantine."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it.

        Raises:
            TaskSetError: It is not such a file, or has a newer version.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Runs write from several threads, but never concurrently.
            self._data = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        except sqlite3.DatabaseError as error:
            raise TaskSetError(f"{path} cannot be opened: {error}") from error
        try:
            self._prepare(path)
        except sqlite3.DatabaseError as error:
            self._data.close()
            raise TaskSetError(f"{path} is not a health database: {error}") from error
        except TaskSetError:
            self._data.close()
            raise

    def _prepare(self, path: Path) -> None:
        self._data.execute("PRAGMA journal_mode = WAL")
        version: int = self._data.execute("PRAGMA user_version").fetchone()[0]
        if version > BOOK_VERSION:
            raise TaskSetError(f"{path} has format version {version}; this WebGym reads up to {BOOK_VERSION}")
        self._data.executescript(_SCHEMA)
        self._data.execute(f"PRAGMA user_version = {BOOK_VERSION}")

    def close(self) -> None:
        self._data.close()

    def record(self, results: Iterable[Result]) -> int:
        """Record results; return how many were new. Of those recorded already, later ones replace errors only."""
        rows = [(result.run, result.attempt, result.task, result.site, result.fate, result.at) for result in results]
        with self._writing():
            before = self._data.total_changes
            self._data.executemany(_RECORD, rows)
            return self._data.total_changes - before

    def rates(self, kind: Literal["site", "task"]) -> list[Rates]:
        """Return the rates of every task or website over all runs, most attempted first."""
        found = self._data.execute(
            f"SELECT {kind}, COUNT(*), SUM(fate = 'success'), SUM(fate = 'failure'), SUM(fate = 'blocked'), "  # noqa: S608  one of two words
            f"SUM(fate = 'error') FROM attempts GROUP BY {kind} ORDER BY COUNT(*) DESC, {kind}"
        )
        return [Rates(*row) for row in found]

    def recent(self, kind: Literal["site", "task"], name: str, count: int, since: float) -> list[Fate]:
        """Return the latest outcomes after `since`, newest first."""
        found = self._data.execute(
            f"SELECT fate FROM attempts WHERE {kind} = ? AND at > ? ORDER BY at DESC, run, attempt LIMIT ?",  # noqa: S608  one of two words
            (name, since, count),
        )
        return [row[0] for row in found]

    def histories(self, newest: int = 16) -> Iterator[tuple[str, int, int]]:
        """Yield each task with its successes and failures among the newest judged attempts."""
        yield from self._data.execute(
            "SELECT task, SUM(fate = 'success'), SUM(fate = 'failure') FROM ("
            "SELECT task, fate, ROW_NUMBER() OVER (PARTITION BY task ORDER BY at DESC, run, attempt) AS age "
            "FROM attempts WHERE fate IN ('success', 'failure')) WHERE age <= ? GROUP BY task",
            (newest,),
        )

    def held(self) -> dict[tuple[str, str], QuarantineEntry]:
        """Return all quarantine entries, including expired ones that are on trial."""
        found = (QuarantineEntry(*row) for row in self._data.execute("SELECT * FROM quarantine"))
        return {(entry.kind, entry.name): entry for entry in found}

    def hold(self, held: Iterable[QuarantineEntry]) -> None:
        """Quarantine tasks or websites."""
        rows = [(entry.kind, entry.name, entry.since, entry.until, entry.times, entry.reason) for entry in held]
        with self._writing():
            self._data.executemany("INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?, ?, ?)", rows)

    def forgive(self, names: Iterable[tuple[str, str]]) -> None:
        """Remove quarantine entries."""
        with self._writing():
            self._data.executemany("DELETE FROM quarantine WHERE kind = ? AND name = ?", list(names))

    @contextmanager
    def _writing(self) -> Generator[None]:
        self._data.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._data.execute("ROLLBACK")
            raise
        self._data.execute("COMMIT")

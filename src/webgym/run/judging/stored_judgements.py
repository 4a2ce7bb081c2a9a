"""Reads the judgements stored beside a run, for display."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import StoreError
from webgym.records.judgement import Judgement
from webgym.run.judging.judgement_log import JUDGEMENTS, LOG_FILE, PLAN_FILE

_decoder = msgspec.msgpack.Decoder(Judgement)


class StoredJudgements:
    """The logs in a run's folder of judgements, by name; readable while they are written. Blocking."""

    def stamp(self, run: Path) -> tuple[tuple[str, int, int], ...]:
        """Return a value that changes whenever a judgement is added."""
        found: list[tuple[str, int, int]] = []
        for log in _logs(run):
            for path in (log / LOG_FILE, log / f"{LOG_FILE}-wal"):
                try:
                    status = path.stat()
                except OSError:  # there is no WAL file unless someone is writing
                    continue
                found.append((f"{log.name}/{path.name}", status.st_mtime_ns, status.st_size))
        return tuple(found)

    def outcomes(self, run: Path) -> dict[str, dict[str, str]]:
        """Return the outcome of each attempt, by log and attempt.

        Raises:
            StoreError: A log cannot be read.
        """
        return {log.name: dict(_rows(log, "SELECT attempt, outcome FROM judgements")) for log in _logs(run)}

    def of(self, run: Path, attempt_id: str) -> dict[str, Judgement]:
        """Return the judgements on one attempt, by log.

        Raises:
            StoreError: A log cannot be read.
        """
        found: dict[str, Judgement] = {}
        for log in _logs(run):
            for (body,) in _rows(log, "SELECT body FROM judgements WHERE attempt = ?", attempt_id):
                found[log.name] = _decoder.decode(body)
        return found


def _logs(run: Path) -> Iterator[Path]:
    folder = run / JUDGEMENTS
    if folder.is_dir():
        yield from sorted(path.parent for path in folder.glob(f"*/{PLAN_FILE}") if (path.parent / LOG_FILE).exists())


def _rows(log: Path, query: str, *values: str) -> list[Any]:
    address = f"{(log / LOG_FILE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return connection.execute(query, values).fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"the judgements in {log} cannot be read: {error}") from error

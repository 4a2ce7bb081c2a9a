"""What judges found that were asked about a run afterwards, read from beside it for whoever shows the run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import StoreError
from webgym.pipeline.judge.book import BOOK_FILE, JUDGEMENTS, PLAN_FILE
from webgym.records.judgement import Judgement

_decoder = msgspec.msgpack.Decoder(Judgement)


class JudgementsBeside:
    """The books in a run's own folder of judgements, by name, also while they are written. Blocks."""

    def stamp(self, run: Path) -> tuple[tuple[str, int, int], ...]:
        """Changes whenever a judgement is added."""
        found: list[tuple[str, int, int]] = []
        for book in _books(run):
            for path in (book / BOOK_FILE, book / f"{BOOK_FILE}-wal"):
                try:
                    status = path.stat()
                except OSError:  # there is no log while nobody writes
                    continue
                found.append((f"{book.name}/{path.name}", status.st_mtime_ns, status.st_size))
        return tuple(found)

    def outcomes(self, run: Path) -> dict[str, dict[str, str]]:
        """What each attempt would have ended as, by book and attempt.

        Raises:
            StoreError: A book cannot be read.
        """
        return {book.name: dict(_rows(book, "SELECT attempt, outcome FROM judgements")) for book in _books(run)}

    def of(self, run: Path, attempt_id: str) -> dict[str, Judgement]:
        """What was found of one attempt, by book.

        Raises:
            StoreError: A book cannot be read.
        """
        found: dict[str, Judgement] = {}
        for book in _books(run):
            for (body,) in _rows(book, "SELECT body FROM judgements WHERE attempt = ?", attempt_id):
                found[book.name] = _decoder.decode(body)
        return found


def _books(run: Path) -> Iterator[Path]:
    folder = run / JUDGEMENTS
    if folder.is_dir():
        yield from sorted(path.parent for path in folder.glob(f"*/{PLAN_FILE}") if (path.parent / BOOK_FILE).exists())


def _rows(book: Path, query: str, *values: str) -> list[Any]:
    address = f"{(book / BOOK_FILE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return connection.execute(query, values).fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"the judgements in {book} cannot be read: {error}") from error

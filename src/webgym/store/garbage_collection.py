"""Garbage collection of unreferenced pictures and texts."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from webgym.errors import StoreError
from webgym.records.base import Record
from webgym.store.encoding import names_in, unsqueeze
from webgym.store.images import ImageStore
from webgym.store.lock import RunLock
from webgym.store.meta import load_meta
from webgym.store.recover import recover
from webgym.store.schema import open_to_write, transaction
from webgym.store.trim import Trimmer, compact, delete_unused

NO_BUDGET = 2**62


class CollectionReport(Record, frozen=True, omit_defaults=False):
    """What a collection freed."""

    images: int
    """Unreferenced pictures."""
    dropped: int
    """Pictures dropped to stay within the budget."""
    texts: int
    bytes_before: int
    bytes_after: int


def collect(folder: Path, budget: int = NO_BUDGET) -> CollectionReport:
    """Delete what nothing in the run refers to, and drop pictures beyond the budget (in bytes).

    Raises:
        StoreError: The run is being written, or cannot be read.
    """
    load_meta(folder)
    lock = RunLock(folder)
    lock.take()
    try:
        return _collect(folder, budget)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"run {folder} cannot be collected: {error}") from error
    finally:
        lock.release()


def _collect(folder: Path, budget: int) -> CollectionReport:
    before = _bytes(folder)
    connection = open_to_write(folder)
    try:
        recover(connection, folder)
        with transaction(connection):
            images = delete_unused(connection)
            texts = _delete_texts(connection)
        gone = _gone(connection)
        with contextlib.closing(ImageStore(connection, folder, budget)) as image_store:
            image_store.seal()
            Trimmer(image_store).trim()
            compact(image_store, 0)
        dropped = _gone(connection) - gone
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
    return CollectionReport(images, dropped, texts, before, _bytes(folder))


def _delete_texts(connection: sqlite3.Connection) -> int:
    connection.execute("CREATE TEMP TABLE named (digest BLOB PRIMARY KEY) WITHOUT ROWID")
    for (prompt,) in connection.execute("SELECT prompt FROM steps WHERE prompt IS NOT NULL"):
        names = ((name,) for name in names_in(unsqueeze(prompt)))
        connection.executemany("INSERT OR IGNORE INTO named (digest) VALUES (?)", names)
    deleted = connection.execute("DELETE FROM texts WHERE digest NOT IN (SELECT digest FROM named)").rowcount
    connection.execute("DROP TABLE named")
    return deleted


def _gone(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT count(*) FROM images WHERE gone = 'budget'").fetchone()[0]


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())

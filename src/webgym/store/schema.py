"""The SQLite schema of a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from webgym.errors import StoreError
from webgym.store.packs import PACK_FOLDER

SCHEMA_VERSION = 2
_OLDEST = 1
"""The oldest version that is read: it has neither checksums nor the count of malformed replies."""
APPLICATION_ID = 0x57474D31
DATABASE_FILE = "run.sqlite"
_BUSY_SECONDS = 30.0

_TABLES = """
CREATE TABLE attempts (
    number INTEGER PRIMARY KEY,
    attempt_id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    site TEXT NOT NULL,
    domain TEXT NOT NULL,
    template TEXT NOT NULL,
    level TEXT NOT NULL,
    difficulty INTEGER NOT NULL,
    instruction TEXT NOT NULL,
    "group" TEXT NOT NULL,
    member INTEGER NOT NULL,
    outcome TEXT,
    detail TEXT NOT NULL DEFAULT '',
    reward REAL,
    steps INTEGER NOT NULL DEFAULT 0,
    answer TEXT,
    facts_held INTEGER NOT NULL DEFAULT 0,
    facts INTEGER NOT NULL,
    began REAL NOT NULL,
    ended REAL,
    queued REAL NOT NULL DEFAULT 0,
    last_action TEXT NOT NULL DEFAULT '',
    prompt_tokens INTEGER NOT NULL DEFAULT 0,
    sampled_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    failed_tries INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 1,
    malformed INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER
);
CREATE TABLE records (
    number INTEGER PRIMARY KEY REFERENCES attempts,
    attempt BLOB NOT NULL,
    ending BLOB,
    attempt_checksum INTEGER,
    ending_checksum INTEGER
);
CREATE TABLE steps (
    attempt INTEGER NOT NULL REFERENCES attempts,
    number INTEGER NOT NULL,
    step BLOB NOT NULL,
    prompt BLOB,
    prompt_ids BLOB,
    sampled_ids BLOB,
    logprobs BLOB,
    versions BLOB,
    checksum INTEGER,
    UNIQUE (attempt, number)
);
CREATE TABLE texts (
    digest BLOB PRIMARY KEY,
    body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE packs (
    pack INTEGER PRIMARY KEY,
    bytes INTEGER NOT NULL
);
CREATE TABLE images (
    image INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    pack INTEGER REFERENCES packs,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    gone TEXT NOT NULL DEFAULT ''
);
CREATE INDEX images_by_pack ON images (pack);
CREATE TABLE uses (
    attempt INTEGER NOT NULL REFERENCES attempts,
    image INTEGER NOT NULL REFERENCES images,
    PRIMARY KEY (attempt, image)
) WITHOUT ROWID;
CREATE INDEX uses_by_image ON uses (image);
"""
_FROM_OLDEST = """
ALTER TABLE attempts ADD COLUMN malformed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN checksum INTEGER;
ALTER TABLE records ADD COLUMN attempt_checksum INTEGER;
ALTER TABLE records ADD COLUMN ending_checksum INTEGER;
ALTER TABLE steps ADD COLUMN checksum INTEGER;
"""


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open the run's database for writing, creating it if missing. The caller manages transactions.

    A database without checksums gets room for them: what is written from now on has one.

    Raises:
        StoreError: The database is damaged, or of another version.
    """
    path = folder / DATABASE_FILE
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        if _version(connection) == 0:
            _create(connection)
        check_version(connection, folder)
        if _version(connection) == _OLDEST:
            connection.executescript(f"BEGIN; {_FROM_OLDEST} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        # Readers never block on the writer, and commits survive a crash of this process.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be opened: {error}") from error
    except StoreError:
        connection.close()
        raise
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the run's database read-only, possibly while it is being written.

    Raises:
        StoreError: The database is missing, damaged, or of another version.
    """
    path = folder / DATABASE_FILE
    if not path.exists():
        raise StoreError(f"there is no run in {folder}: {DATABASE_FILE} is missing")
    if not path.stat().st_size:
        raise StoreError(f"{path} is empty: nothing was stored yet, or it was lost")
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(
        address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        check_version(connection, folder)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be opened: {error}") from error
    except StoreError:
        connection.close()
        raise
    return connection


def check_there(folder: Path, *, begun: bool) -> None:
    """Check, before a run is resumed, that what was stored is still there: a new database would begin it all again.

    Raises:
        StoreError: The database is missing or empty, though the run has begun or pictures of it are stored.
    """
    path = folder / DATABASE_FILE
    if path.is_file() and path.stat().st_size:
        return
    if begun or any(pack.stat().st_size for pack in (folder / PACK_FOLDER).glob("*.pack")):
        state = "empty" if path.is_file() else "missing"
        raise StoreError(
            f"{path} is {state}, and with it all attempts of this run: restore it from a copy, "
            "or begin a new run under another name"
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Run the block in a transaction; roll back if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def check_version(connection: sqlite3.Connection, folder: Path) -> None:
    """Raise `StoreError` if this version of WebGym cannot read the database."""
    found = _version(connection)
    if not _OLDEST <= found <= SCHEMA_VERSION:
        whose = "a newer" if found > SCHEMA_VERSION else "an older"
        raise StoreError(
            f"{folder} was written by {whose} WebGym: its store has version {found}, this one reads {SCHEMA_VERSION}"
        )
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError(f"{folder / DATABASE_FILE} is not the database of a run")


def has_checksums(connection: sqlite3.Connection) -> bool:
    """Return whether the tables have columns for checksums."""
    return _version(connection) > _OLDEST


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return version


def _create(connection: sqlite3.Connection) -> None:
    """Create all tables in one transaction, so that a crash leaves an empty database."""
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return
    pragmas = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
    connection.executescript(f"BEGIN; {_TABLES} {pragmas} COMMIT;")

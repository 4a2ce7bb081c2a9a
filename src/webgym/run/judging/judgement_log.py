"""A crash-safe log of judgements on a stored run, including every reply that was paid for.

A folder with `judge.json` (which run, which judge) and `judge.sqlite` (replies and judgements).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from webgym.errors import ConfigError, StoreError
from webgym.files import write_whole
from webgym.llm.reply_file import FileReplyStore
from webgym.records.base import Record
from webgym.records.judgement import Judgement
from webgym.records.trajectory import outcome_kind
from webgym.records.verdict import VerdictCost
from webgym.store.lock import RunLock

PLAN_FILE = "judge.json"
LOG_FILE = "judge.sqlite"
JUDGEMENTS = "judgements"
"""Default folder of judgements within a run."""
PLAN_VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS judgements (
  attempt TEXT PRIMARY KEY, outcome TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
"""
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Judgement)


class Plan(Record, frozen=True, omit_defaults=False):
    """Which run is judged, and by which judge."""

    run: str
    """Name of the run."""
    judge: str
    config: str
    """Hash of everything that affects a verdict."""
    settings: dict[str, object]
    """All settings of the judge."""
    created: float
    version: int = PLAN_VERSION


class JudgementLog:
    """The judgements so far. Created by `open_judgement_log`."""

    def __init__(self, path: Path, replies: FileReplyStore) -> None:
        self.replies = replies
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.executescript(_TABLE)

    def judged(self) -> dict[str, str]:
        """Return the outcome of every judged attempt."""
        return dict(self._database.execute("SELECT attempt, outcome FROM judgements"))

    def keep(self, judgement: Judgement) -> None:
        """Store a judgement; it survives a kill of the process once this returns.

        Raises:
            StoreError: The attempt is already judged.
        """
        row = (judgement.attempt_id, outcome_kind(judgement.outcome), _encoder.encode(judgement))
        try:
            self._database.execute("INSERT INTO judgements (attempt, outcome, body) VALUES (?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise StoreError(f"attempt {judgement.attempt_id} has already been judged") from None

    def forget(self, attempt: str) -> None:
        """Discard the judgement, so that the attempt is judged anew. Its costs stay in the ledger."""
        self.replies.forget(attempt, spare="relevance")
        self._database.execute("DELETE FROM judgements WHERE attempt = ?", (attempt,))

    def judgements(self) -> Iterator[Judgement]:
        """Yield all judgements, ordered by attempt."""
        for (body,) in self._database.execute("SELECT body FROM judgements ORDER BY attempt").fetchall():
            yield _decoder.decode(body)

    def spent(self) -> VerdictCost:
        """Return the total cost."""
        return sum(self.replies.by_kind().values(), VerdictCost())

    def close(self) -> None:
        self._database.close()


@contextmanager
def open_judgement_log(folder: Path, plan: Plan) -> Generator[JudgementLog]:
    """Open a log, creating it if necessary, or resume one of the same judge.

    Raises:
        ConfigError: It belongs to another judge or run.
        StoreError: It is being written by another process, or is damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = RunLock(folder)
    lock.take()
    try:
        _check(folder, plan)
        with (
            closing(FileReplyStore(folder / LOG_FILE)) as replies,
            closing(JudgementLog(folder / LOG_FILE, replies)) as log,
        ):
            yield log
    finally:
        lock.release()


def read_plan(folder: Path) -> Plan:
    """Read which run was judged, and by which judge.

    Raises:
        StoreError: There are no judgements.
    """
    try:
        return msgspec.json.decode((folder / PLAN_FILE).read_bytes(), type=Plan)
    except OSError as error:
        raise StoreError(f"there are no judgements in {folder}: {PLAN_FILE} cannot be read") from error
    except msgspec.MsgspecError as error:
        raise StoreError(f"{folder / PLAN_FILE} is damaged: {error}") from error


def read_judgements(folder: Path) -> list[Judgement]:
    """Read all judgements, even while the log is being written.

    Raises:
        StoreError: There are none, or they cannot be read.
    """
    read_plan(folder)
    address = f"{(folder / LOG_FILE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as log:
            rows = log.execute("SELECT body FROM judgements ORDER BY attempt").fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"the judgements in {folder} cannot be read: {error}") from error
    return [_decoder.decode(body) for (body,) in rows]


def _check(folder: Path, plan: Plan) -> None:
    path = folder / PLAN_FILE
    if path.exists():
        found = read_plan(folder)
        if (found.run, found.config, found.judge) != (plan.run, plan.config, plan.judge):
            raise ConfigError(
                f"{folder} holds judgements of run {found.run} by {found.judge} ({found.config}): choose another --out"
            )
        return
    write_whole(path, msgspec.json.format(msgspec.json.encode(plan), indent=2))

"""Writes entries to the tables of a run. Used only on the writer's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from webgym.records.decision import MalformedReply
from webgym.records.trajectory import Attempt, Ending, OutcomeKind, Step, outcome_kind, reward
from webgym.store.checksums import checksum
from webgym.store.encoding import StoredStep, addresses_in, addresses_of, squeeze
from webgym.store.images import ImageStore
from webgym.store.read_rows import read_rows
from webgym.store.recover import recover
from webgym.store.rows import CHECKED, action_kind, begun_values, detail_of
from webgym.store.schema import open_to_write
from webgym.store.steps import CHECKED as STEP_CHECKED
from webgym.store.trim import Needed, Trimmer


@dataclass(frozen=True, slots=True)
class BeginEntry:
    """Entry: a try of an attempt began."""

    attempt: Attempt
    body: bytes
    when: float

    @property
    def size(self) -> int:
        return len(self.body)


@dataclass(frozen=True, slots=True)
class StepEntry:
    """Entry: an attempt took a step."""

    attempt: Attempt
    step: Step
    stored: StoredStep
    blobs: Mapping[str, bytes]

    @property
    def size(self) -> int:
        return self.stored.size + sum(map(len, self.blobs.values()))


@dataclass(frozen=True, slots=True)
class EndEntry:
    """Entry: an attempt ended."""

    attempt: Attempt
    body: bytes
    ending: Ending
    ending_body: bytes
    blobs: Mapping[str, bytes]
    committed: anyio.Event = field(default_factory=anyio.Event)

    @property
    def size(self) -> int:
        return len(self.body) + len(self.ending_body) + sum(map(len, self.blobs.values()))


Entry = BeginEntry | StepEntry | EndEntry


class TableWriter:
    """Write access to the tables of a run, for its only writer."""

    def __init__(self, folder: Path, image_budget: int) -> None:
        self._connection = open_to_write(folder)
        self._changed: set[int] = set()
        """Attempts whose row has no checksum yet in this transaction."""
        try:
            self.lost_pictures = recover(self._connection, folder)
            """How many pictures were found lost, as their pack is missing or damaged."""
            self._image_store = ImageStore(self._connection, folder, image_budget)
        except BaseException:
            self._connection.close()
            raise
        self._trimmer = Trimmer(self._image_store)

    def keep(self, needed: Needed) -> None:
        """Never drop pictures of the groups for which `needed` is true, even beyond the budget."""
        self._trimmer.needed = needed

    def ended(self) -> dict[str, OutcomeKind]:
        """Return the outcomes of the attempts that have one, by id; `StoreError` if a row is damaged."""
        return {row.attempt_id: row.outcome for row in read_rows(self._connection) if row.outcome is not None}

    def write(self, entries: list[Entry]) -> None:
        """Write these entries in one transaction. Once this returns, they survive a crash of this process."""
        self._changed.clear()
        self._connection.execute("BEGIN IMMEDIATE")
        for entry in entries:
            match entry:
                case BeginEntry():
                    self._begin(entry.attempt, entry.body, entry.when)
                case StepEntry():
                    self._step(entry)
                case EndEntry():
                    self._end(entry)
        self._image_store.flush()
        self._seal()
        self._connection.execute("COMMIT")
        self._trimmer.trim()

    def close(self) -> None:
        """Close the database, as a single file without a write-ahead log unless a reader still uses it."""
        try:
            self._image_store.close()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connection.execute("PRAGMA busy_timeout = 100")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError:  # readers hold the write-ahead log: it stays, without loss
            pass
        finally:
            self._connection.close()

    def _seal(self) -> None:
        """Write the checksums of the rows that this transaction changed."""
        query = f"SELECT {CHECKED} FROM attempts WHERE number = ?"  # noqa: S608 - our own column names
        for number in self._changed:
            found = self._connection.execute(query, (number,)).fetchone()
            self._connection.execute("UPDATE attempts SET checksum = ? WHERE number = ?", (checksum(found), number))

    def _number(self, attempt_id: str) -> int | None:
        query = "SELECT number FROM attempts WHERE attempt_id = ?"
        found = self._connection.execute(query, (attempt_id,)).fetchone()
        return found[0] if found else None

    def _begin(self, attempt: Attempt, body: bytes, when: float) -> int:
        number = self._number(attempt.attempt_id)
        if number is not None:
            self._void(number, when)
            self._prepare_anew(number, attempt, body)
            return number
        values = begun_values(attempt, when)
        columns = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        insert = f"INSERT INTO attempts ({columns}) VALUES ({marks})"  # noqa: S608 - our own column names
        number = self._connection.execute(insert, tuple(values.values())).lastrowid or 0
        stored = squeeze(body)
        self._connection.execute(
            "INSERT INTO records (number, attempt, attempt_checksum) VALUES (?, ?, ?)",
            (number, stored, checksum((number, stored))),
        )
        self._changed.add(number)
        return number

    def _prepare_anew(self, number: int, attempt: Attempt, body: bytes) -> None:
        """Store the attempt of another try: its environment may have given it another instruction or start page."""
        stored = squeeze(body)
        self._connection.execute(
            "UPDATE records SET attempt = ?, attempt_checksum = ? WHERE number = ?",
            (stored, checksum((number, stored)), number),
        )
        self._connection.execute(
            "UPDATE attempts SET instruction = ? WHERE number = ?", (attempt.task.instruction, number)
        )

    def _void(self, number: int, when: float) -> None:
        """Discard the steps of an earlier try, but keep their cost."""
        self._connection.execute(
            "UPDATE attempts SET outcome = NULL, detail = '', reward = NULL, steps = 0, answer = NULL, facts_held = 0,"
            " began = ?, ended = NULL, queued = 0, last_action = '', prompt_tokens = 0, sampled_tokens = 0,"
            " malformed = 0, failed_tries = 0, tries = tries + 1 WHERE number = ?",
            (when, number),
        )
        self._changed.add(number)
        change = "UPDATE records SET ending = NULL, ending_checksum = NULL WHERE number = ?"
        self._connection.execute(change, (number,))
        self._connection.execute("DELETE FROM steps WHERE attempt = ?", (number,))
        self._connection.execute("DELETE FROM uses WHERE attempt = ?", (number,))

    def _step(self, entry: StepEntry) -> None:
        number, stored, step = self._number(entry.attempt.attempt_id), entry.stored, entry.step
        if number is None:  # cannot happen: `RunWriter.step` refuses attempts that have not begun
            return
        self._texts(stored.texts)
        tokens = stored.tokens
        arrays = (squeeze(tokens.prompt), tokens.sampled, tokens.logprobs, tokens.versions) if tokens else (None,) * 4
        prompt = None if stored.prompt is None else squeeze(stored.prompt)
        values = (number, step.number, squeeze(stored.step), prompt, *arrays)
        self._connection.execute(
            f"INSERT OR REPLACE INTO steps ({STEP_CHECKED}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            (*values, checksum(values)),
        )
        self._changed.add(number)
        reply = step.turn.completion
        spent = (reply.prompt_tokens, reply.sampled_tokens, reply.cost) if reply else (0, 0, 0.0)
        self._connection.execute(
            "UPDATE attempts SET steps = steps + 1, last_action = ?, malformed = malformed + ?,"
            " prompt_tokens = prompt_tokens + ?, sampled_tokens = sampled_tokens + ?, cost = cost + ? WHERE number = ?",
            (action_kind(step), isinstance(step.turn.choice, MalformedReply), *spent, number),
        )
        self._image_store.keep(number, entry.blobs, addresses_of(step))

    def _end(self, entry: EndEntry) -> None:
        ending, attempt_id = entry.ending, entry.attempt.attempt_id
        number = self._number(attempt_id)
        if number is None:  # ended before a try began
            number = self._begin(entry.attempt, entry.body, ending.began)
        verdict, outcome = ending.verdict, ending.outcome
        facts = verdict.facts if verdict else ()
        self._connection.execute(
            "UPDATE attempts SET outcome = ?, detail = ?, reward = ?, answer = ?, facts_held = ?,"
            " facts = coalesce(?, facts), began = coalesce(?, began), ended = ?, queued = ?, failed_tries = ?"
            " WHERE number = ?",
            (
                outcome_kind(outcome),
                detail_of(outcome),
                reward(outcome),
                ending.answer,
                sum(fact.holds for fact in facts),
                len(facts) or None,
                ending.began or None,
                ending.ended,
                ending.queued,
                len(ending.failed_tries),
                number,
            ),
        )
        self._changed.add(number)
        stored = squeeze(entry.ending_body)
        change = "UPDATE records SET ending = ?, ending_checksum = ? WHERE number = ?"
        self._connection.execute(change, (stored, checksum((number, stored)), number))
        self._image_store.keep(number, entry.blobs, addresses_in(ending.last))

    def _texts(self, texts: Mapping[bytes, bytes]) -> None:
        for digest, data in texts.items():
            if not self._connection.execute("SELECT 1 FROM texts WHERE digest = ?", (digest,)).fetchone():
                self._connection.execute("INSERT INTO texts (digest, body) VALUES (?, ?)", (digest, squeeze(data)))

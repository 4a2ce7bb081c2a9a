"""Writing a run: a `Recorder` whose recorded endings survive a crash of this process."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio.to_thread
import msgspec

from webgym.errors import StoreError
from webgym.records.trajectory import UNFINISHED, Attempt, Ending, Step, outcome_kind
from webgym.store.encoding import store_record, store_step
from webgym.store.images import read_image
from webgym.store.lock import RunLock
from webgym.store.meta import META_FILE, RunMeta, check_same_run, has_begun, load_meta, save_meta
from webgym.store.schema import check_there, open_to_read
from webgym.store.steps import load_steps
from webgym.store.table_writer import BeginEntry, EndEntry, Entry, StepEntry, TableWriter
from webgym.store.trim import Needed
from webgym.store.writer_thread import WriterThread

IMAGE_BUDGET_BYTES = 20 * 2**30


@dataclass(slots=True)
class _Try:
    """The current try of an attempt."""

    opening: BeginEntry | None = None
    begun: bool = False
    """Whether `opening` is committed."""
    over: bool = False
    uncommitted: dict[int, Step] = field(default_factory=dict[int, Step])


class RunWriter:
    """The `Recorder` of a run. Create it with `open_writer`."""

    def __init__(self, folder: Path, meta: RunMeta, tables: TableWriter) -> None:
        self.path = folder
        self.meta = meta
        self._ended = tables.ended()
        self._tries: dict[str, _Try] = {}
        self._blobs: dict[str, bytes] = {}
        """Blobs not yet committed."""
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._connection = open_to_read(folder)
        self._tables = tables
        self._thread = WriterThread(tables, self._committed)

    @property
    def lost_pictures(self) -> int:
        """Number of pictures that were found to be gone when the run was opened: their files are missing or damaged."""
        return self._tables.lost_pictures

    @property
    def queued(self) -> int:
        """Approximate number of entries not yet written."""
        return self._thread.depth

    def finished(self) -> frozenset[str]:
        """Return the ids of the attempts that have ended and need not run again: not cancelled, not lost to us."""
        with self._lock:
            return frozenset(attempt_id for attempt_id, kind in self._ended.items() if kind not in UNFINISHED)

    def lost(self) -> frozenset[str]:
        """Return the ids of the attempts that ended as `infrastructure`: they may run again, and need not."""
        with self._lock:
            return frozenset(attempt_id for attempt_id, kind in self._ended.items() if kind == "infrastructure")

    def keep(self, needed: Needed) -> None:
        """Never drop pictures of groups for which `needed`, called on another thread, is true, whatever the budget."""
        self._tables.keep(needed)

    async def begin(self, attempt: Attempt) -> None:
        """Begin a try of this attempt, discarding the steps of any earlier try.

        Raises:
            StoreError: The attempt has already ended, or the run can no longer be written.
        """
        with self._lock:
            if self._ended.get(attempt.attempt_id, "cancelled") not in UNFINISHED:
                raise StoreError(f"attempt {attempt.attempt_id} is over already")
        entry = BeginEntry(attempt, _encoded(attempt), time.time())
        with self._lock:
            self._tries[attempt.attempt_id] = _Try(entry)
        await self._thread.put(entry)

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        """Record one step; `blobs` holds at least the bytes its observation refers to. Waits only if the queue is full.

        Raises:
            StoreError: No try of this attempt is in progress, or the run can no longer be written.
        """
        current = self._current(attempt)
        try:
            entry = StepEntry(attempt, step, store_step(step), dict(blobs))
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise StoreError(f"step {step.number} of {attempt.attempt_id} cannot be stored: {error}") from error
        with self._lock:
            current.uncommitted[step.number] = step
            self._blobs.update(blobs)
        await self._thread.put(entry)

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        """Record how the attempt ended. Returns once the record would survive a crash of this process.

        Raises:
            StoreError: The attempt has already ended, or the run can no longer be written.
        """
        entry = EndEntry(attempt, _encoded(attempt), ending, _encoded(ending), dict(blobs))
        with self._lock:
            current = self._tries.get(attempt.attempt_id)
            stands = self._ended.get(attempt.attempt_id, "cancelled") not in UNFINISHED
            if stands or (current and current.over):
                raise StoreError(f"attempt {attempt.attempt_id} is over already")
            self._tries.setdefault(attempt.attempt_id, _Try()).over = True
            self._blobs.update(blobs)
        await self._thread.put(entry)
        await self._thread.committed(entry)

    def blob(self, address: str) -> bytes | None:
        """Return the bytes at an address; None if they are not stored, or no longer. Thread-safe."""
        with self._lock:
            waiting = self._blobs.get(address)
        if waiting is not None:
            return waiting
        try:
            with self._reading:
                return read_image(self._connection, self.path, address)
        except (StoreError, sqlite3.Error):  # never stored, since dropped, or the run is closed
            return None

    def steps(self, attempt_id: str) -> tuple[Step, ...]:
        """Return the steps of the current try, or of the last one if the attempt has ended. Thread-safe."""
        with self._lock:
            current = self._tries.get(attempt_id)
            waiting = dict(current.uncommitted) if current else {}
        if current and not current.begun:
            return tuple(waiting.values())
        with self._reading:
            stored = {step.number: step for step in load_steps(self._connection, attempt_id)}
        return tuple((stored | waiting)[number] for number in sorted(stored | waiting))

    async def close(self) -> None:
        """Write the remaining entries. Called when the block of `open_writer` exits."""
        with self._reading:
            self._connection.close()
        await self._thread.close()

    def _current(self, attempt: Attempt) -> _Try:
        with self._lock:
            current = self._tries.get(attempt.attempt_id)
        if current is None or current.over:
            raise StoreError(f"no try of attempt {attempt.attempt_id} is in progress")
        return current

    def _committed(self, entries: list[Entry]) -> None:
        """Release what was committed. Called on the writer's thread after each commit."""
        with self._lock:
            for entry in entries:
                self._forget(entry)

    def _forget(self, entry: Entry) -> None:
        current = self._tries.get(entry.attempt.attempt_id)
        match entry:
            case BeginEntry() if current and current.opening is entry:
                current.begun = True
                self._ended.pop(entry.attempt.attempt_id, None)
            case StepEntry(step=step, blobs=blobs):
                if current and current.uncommitted.get(step.number) is step:
                    del current.uncommitted[step.number]
                self._release(blobs)
            case EndEntry(ending=ending, blobs=blobs):
                self._tries.pop(entry.attempt.attempt_id, None)
                self._ended[entry.attempt.attempt_id] = outcome_kind(ending.outcome)
                self._release(blobs)
            case BeginEntry():  # of an earlier try
                pass

    def _release(self, blobs: Mapping[str, bytes]) -> None:
        for address, data in blobs.items():
            if self._blobs.get(address) is data:
                del self._blobs[address]


@asynccontextmanager
async def open_writer(
    folder: Path, meta: RunMeta | None = None, *, image_budget_bytes: int = IMAGE_BUDGET_BYTES
) -> AsyncGenerator[RunWriter]:
    """Create a run in this folder, or resume the existing one.

    Without `meta` the run must exist; with it, an existing run must have the same name, kind, seed and config.

    Raises:
        StoreError: Another process is writing the run, it is a different run, or it cannot be read.
    """
    lock = RunLock(folder)
    try:
        found, tables = await anyio.to_thread.run_sync(_prepare, folder, meta, lock, image_budget_bytes)
        try:
            writer = RunWriter(folder, found, tables)
        except BaseException:
            tables.close()
            raise
        try:
            yield writer
        finally:
            with anyio.CancelScope(shield=True):
                await writer.close()
    finally:
        lock.release()


def _prepare(folder: Path, meta: RunMeta | None, lock: RunLock, budget: int) -> tuple[RunMeta, TableWriter]:
    if meta is None:
        load_meta(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.take()
        if meta is not None and not (folder / META_FILE).exists():
            save_meta(folder, meta)
        found = load_meta(folder)
        if meta is not None:
            check_same_run(found, meta)
        return found, _tables(folder, found, budget)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"run {folder} cannot be written: {error}") from error


def _tables(folder: Path, meta: RunMeta, budget: int) -> TableWriter:
    begun = has_begun(folder)
    check_there(folder, begun=begun)
    tables = TableWriter(folder, budget)
    if not begun:
        save_meta(folder, meta, begun=True)
    return tables


def _encoded(record: Attempt | Ending) -> bytes:
    try:
        return store_record(record)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise StoreError(f"a record cannot be stored: {error}") from error

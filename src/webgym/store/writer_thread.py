"""The thread that writes a run, and the bounded queue in front of it."""

from __future__ import annotations

import asyncio
import collections
import itertools
import sqlite3
import threading
from collections.abc import Callable

import anyio
import anyio.lowlevel
import anyio.to_thread

from webgym.errors import DeadlineError, StoreError
from webgym.store.table_writer import EndEntry, Entry, TableWriter

MOST_WAITING_BYTES = 64 * 2**20
_MOST_AT_ONCE = 512
"""Maximum entries per transaction, to bound the latency of a commit."""
_PATIENCE = 120.0
"""Timeout for the disk in seconds."""


class WriterThread:
    """Accepts entries on the event loop and writes them on its own thread.

    Queue: entries not yet committed, bounded by their bytes. Producers (attempts) wait while it is full.
    """

    def __init__(self, tables: TableWriter, committed: Callable[[list[Entry]], None]) -> None:
        self._tables, self._committed = tables, committed
        self._loop = asyncio.get_running_loop()
        self._changed = threading.Condition()
        self._queue: collections.deque[Entry] = collections.deque()
        self._waiting_bytes = 0
        self._closing = False
        self._room = anyio.Event()
        self._failure: StoreError | None = None
        self._thread = threading.Thread(target=self._work, name="webgym-store", daemon=True)
        self._thread.start()

    @property
    def depth(self) -> int:
        """Approximate number of entries not yet committed."""
        return len(self._queue)

    async def put(self, entry: Entry) -> None:
        """Enqueue one entry, waiting while the queue is full.

        Raises:
            StoreError: The run can no longer be written; the message says why.
            DeadlineError: The disk made no progress before the timeout.
        """
        await anyio.lowlevel.checkpoint()
        while not self._take(entry):
            await _within_patience(self._room)

    async def committed(self, entry: EndEntry) -> None:
        """Wait until this entry is committed.

        Raises:
            StoreError: The run can no longer be written.
            DeadlineError: It was not committed before the timeout.
        """
        await _within_patience(entry.committed)
        if self._failure is not None:
            raise self._failure

    async def close(self) -> None:
        """Write the remaining entries and stop the thread.

        Raises:
            StoreError: Not everything could be written.
        """
        with self._changed:
            self._closing = True
            self._changed.notify()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._thread.join)
        if self._failure is not None:
            raise self._failure

    def _take(self, entry: Entry) -> bool:
        with self._changed:
            if self._failure is not None:
                raise self._failure
            if self._closing:
                raise StoreError("the run is closed")
            # One entry always fits, however large.
            if self._waiting_bytes >= MOST_WAITING_BYTES:
                return False
            self._queue.append(entry)
            self._waiting_bytes += entry.size
            self._changed.notify()
            return True

    def _work(self) -> None:
        try:
            while batch := self._next():
                self._tables.write(batch)
                self._done(batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, the waiting tasks must be told
            self._fail(StoreError(f"the run cannot be written any more: {error!r}"))
        finally:
            try:
                self._tables.close()
            except (OSError, sqlite3.Error) as error:
                self._fail(StoreError(f"the run could not be closed: {error}"))

    def _next(self) -> list[Entry]:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            return list(itertools.islice(self._queue, _MOST_AT_ONCE))

    def _done(self, batch: list[Entry]) -> None:
        with self._changed:
            for _ in batch:
                self._waiting_bytes -= self._queue.popleft().size
        self._committed(batch)
        self._loop.call_soon_threadsafe(self._tell, batch)

    def _fail(self, failure: StoreError) -> None:
        with self._changed:
            self._failure = self._failure or failure
            left = list(self._queue)
            self._queue.clear()
            self._waiting_bytes = 0
        self._loop.call_soon_threadsafe(self._tell, left)

    def _tell(self, batch: list[Entry]) -> None:
        self._room.set()
        self._room = anyio.Event()
        for entry in batch:
            if isinstance(entry, EndEntry):
                entry.committed.set()


async def _within_patience(event: anyio.Event) -> None:
    try:
        with anyio.fail_after(_PATIENCE):
            await event.wait()
    except TimeoutError:
        raise DeadlineError(f"nothing could be written to the run's disk for {_PATIENCE:.0f} s") from None

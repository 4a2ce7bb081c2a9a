"""Records task health while a run is in progress."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import Roll
from webgym.run.task_sets.health import record_run, result_of, run_key, website_of
from webgym.store.meta import RunMeta
from webgym.tasks.health.database import HealthDatabase, QuarantineEntry, Result
from webgym.tasks.health.quarantine import Kind, review

logger = logging.getLogger(__name__)
_HOUR = 3600.0


class HealthRecorder:
    """Records attempts as they end, and tracks the quarantine.

    Args:
        database: The health database.
        reviews: Review the quarantine after every attempt, rather than when tasks are next drawn.
        say: Receives messages about quarantines and write failures.
        now: Clock, in Unix time.
    """

    def __init__(
        self,
        database: HealthDatabase,
        *,
        reviews: bool = False,
        say: Callable[[str], None] = logger.warning,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._reviews = reviews
        self._say = say
        self._now = now
        self._lock = threading.Lock()
        """Guards the database: attempts end on several threads."""
        self._held = database.held() if reviews else {}
        self._failed = False

    def close(self) -> None:
        self._database.close()

    def is_away(self, task: Task) -> bool:
        """Whether the task or its website is quarantined now."""
        names: tuple[tuple[Kind, str], ...] = (("site", website_of(task)), ("task", task.task_id))
        return any((held := self._held.get(name)) is not None and held.until > self._now() for name in names)

    def noting(self, roll: Roll, meta: RunMeta) -> Roll:
        """Wrap `roll` so that every attempt of this run is recorded when it ends."""
        run = run_key(meta)

        async def one(attempt: Attempt) -> Ending:
            ending = await roll(attempt)
            result = result_of(run, attempt, ending)
            if result is not None:
                # The attempt is over: cancelling now would leave it returned but not recorded.
                with anyio.CancelScope(shield=True):
                    await self._note(result)
            return ending

        return one

    async def _note(self, result: Result) -> None:
        try:
            left = await anyio.to_thread.run_sync(self._record, result)
        except sqlite3.Error as error:
            if not self._failed:
                self._failed = True
                again = "later, `webgym tasks health BOOK --record RUN` records the missing attempts"
                self._say(f"the health database cannot be written, the run continues ({error}); {again}")
            return
        for one in left:
            hours = (one.until - one.since) / _HOUR
            self._say(f"quarantined for {hours:.0f} h: {one.kind} {one.name}, {one.reason}")

    def _record(self, result: Result) -> list[QuarantineEntry]:
        """Record a result; return what is quarantined because of it, only the website if that is."""
        with self._lock:
            self._database.record([result])
            if not self._reviews:
                return []
            now = self._now()
            review(self._database, now, only=(("site", result.site), ("task", result.task)))
            before, self._held = self._held, self._database.held()
            left = [one for name, one in self._held.items() if one.until > now and before.get(name) != one]
            return [one for one in left if one.kind == "site"] or left


@asynccontextmanager
async def open_health_recorder(
    path: Path,
    run: Path | None = None,
    *,
    reviews: bool = False,
    say: Callable[[str], None] = logger.warning,
    now: Callable[[], float] = time.time,
) -> AsyncGenerator[HealthRecorder]:
    """Open a recorder for the duration of the block. Attempts of `run` that ended before a restart are recorded first.

    Raises:
        TaskSetError: The file is not a health database.
    """
    health_recorder = await anyio.to_thread.run_sync(_opened, path, run, reviews, say, now)
    try:
        yield health_recorder
    finally:
        health_recorder.close()


def _opened(
    path: Path, run: Path | None, reviews: bool, say: Callable[[str], None], now: Callable[[], float]
) -> HealthRecorder:
    database = HealthDatabase(path)
    if run is not None:
        record_run(database, run)
    return HealthRecorder(database, reviews=reviews, say=say, now=now)

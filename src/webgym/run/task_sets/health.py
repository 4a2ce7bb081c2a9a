"""Records the outcomes of runs in the health database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, OutcomeKind, outcome_kind
from webgym.store.meta import RunMeta
from webgym.store.read import Run, open_run
from webgym.store.rows import place_of
from webgym.tasks.health.database import Fate, HealthDatabase, Result
from webgym.tasks.websites import site_of_host

_FATES: dict[OutcomeKind, Fate] = {
    "success": "success",
    "failure": "failure",
    "truncated": "failure",
    "blocked": "blocked",
    "infrastructure": "error",
}
"""Cancelled and unjudged attempts are absent: they say nothing about a task."""


def record_run(database: HealthDatabase, folder: Path) -> int:
    """Record the attempts of a run; return how many were new. Idempotent.

    Raises:
        StoreError: There is no such run.
    """
    with open_run(folder) as run:
        return database.record(_results(run))


def run_key(meta: RunMeta) -> str:
    """Return the key of a run. It includes the creation time, as folders can be reused."""
    return f"{meta.name} {dt.datetime.fromtimestamp(meta.created, tz=dt.UTC).isoformat()}"


def website_of(task: Task) -> str:
    """Return the key of the task's website."""
    return _website(place_of(task))


def result_of(run: str, attempt: Attempt, ending: Ending) -> Result | None:
    """Return the result to record for a finished attempt; None if it says nothing about the task."""
    fate = _FATES.get(outcome_kind(ending.outcome))
    if fate is None:
        return None
    return Result(run, attempt.attempt_id, attempt.task.task_id, website_of(attempt.task), fate, ending.ended)


def _results(run: Run) -> Iterator[Result]:
    key = run_key(run.meta)
    for row in run.rows():
        fate = _FATES.get(row.outcome) if row.outcome else None
        if fate is not None and row.ended is not None:
            yield Result(key, row.attempt_id, row.task_id, _website(row.site), fate, row.ended)


def _website(host: str) -> str:
    return site_of_host(host) if host else ""

"""The outcomes of runs, written into the book of health."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from webgym.records.trajectory import OutcomeKind
from webgym.store.read import Run, open_run
from webgym.tasks.health.book import Book, Fate, Result
from webgym.tasks.websites import site_of_host

_FATES: dict[OutcomeKind, Fate] = {
    "success": "success",
    "failure": "failure",
    "truncated": "failure",
    "blocked": "blocked",
    "infrastructure": "error",
}
"""Attempts that were cancelled, or that the judge knows nothing about, say nothing about a task."""


def record_run(book: Book, folder: Path) -> int:
    """Write the attempts of a run down; how many were new. Doing it again changes nothing.

    Raises:
        StoreError: There is no such run.
    """
    with open_run(folder) as run:
        return book.record(_results(run))


def _results(run: Run) -> Iterator[Result]:
    # A folder can be used again for another run: the time it was made tells them apart.
    created = dt.datetime.fromtimestamp(run.meta.created, tz=dt.UTC).isoformat()
    for row in run.rows():
        fate = _FATES.get(row.outcome) if row.outcome else None
        if fate is not None and row.ended is not None:
            site = site_of_host(row.site) if row.site else ""
            yield Result(f"{run.name} {created}", row.attempt_id, row.task_id, site, fate, row.ended)

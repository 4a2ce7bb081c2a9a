"""Cleaning a task set by rules, deduplication and date rewriting. Every removal is reported with its reason."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from webgym.records.base import Record
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.clean.dates import is_past, made_relative
from webgym.tasks.clean.duplicates import SIMILAR, Duplicates, find_duplicates, repeated_texts
from webgym.tasks.clean.rules import KINDS, RULES
from webgym.tasks.columns import rows_of, table_of
from webgym.tasks.sets import TaskSet
from webgym.tasks.similarity.shingles import Places

_PLANS_DATES = r"\b20[0-4]\d\b"


class RemovedTask(Record, frozen=True):
    """A removed task."""

    task_id: str
    kind: str
    """`dead`, `unsafe`, `login`, `exact` or `near`."""
    reason: str
    source: str
    instead: str = ""
    """For duplicates: the task that is kept."""
    instead_source: str = ""
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class CleanSet:
    """The cleaned set, and what was removed."""

    tasks: TaskSet
    dropped: tuple[RemovedTask, ...]
    dated: int
    """Number of tasks whose dates were made relative."""
    repeated: tuple[int, int, int] = (0, 0, 0)
    """Instructions that repeat after folding; those in several sources; those on several websites."""

    def counts(self) -> dict[str, int]:
        """Count removals by kind and reason, most frequent first."""
        return dict(Counter(f"{task.kind}: {task.reason}" for task in self.dropped).most_common())


@dataclass(frozen=True, slots=True)
class Cleaning:
    """The cleaning steps to apply."""

    rules: Collection[str] = KINDS
    duplicates: bool = True
    any_website: bool = False
    """Treat equal instructions on different websites as duplicates."""
    similarity: float = SIMILAR
    dates: bool = True


def clean(tasks: TaskSet, today: dt.date, cleaning: Cleaning = Cleaning()) -> CleanSet:
    """Clean a task set."""
    table, dropped = _ruled(tasks.table, cleaning.rules, today)
    repeated = (0, 0, 0)
    if cleaning.duplicates:
        repeated = repeated_texts(tasks.table)
        found = find_duplicates(table, cleaning.similarity, any_website=cleaning.any_website)
        dropped += _told(table, found)
        table = table.take(arrow().array(np.flatnonzero(found.stands == np.arange(len(found.stands)))))
    table, dated = _dated(table) if cleaning.dates else (table, 0)
    step = f"cleaned on {today}: {len(dropped):,} of {len(tasks):,} removed, {dated:,} with dates made relative"
    kept = TaskSet(tasks.name, table.combine_chunks(), (*tasks.made, step))
    return CleanSet(kept, tuple(dropped), dated, repeated)


def _ruled(table: Any, kinds: Collection[str], today: dt.date) -> tuple[Any, list[RemovedTask]]:
    gone: dict[int, tuple[str, str]] = {}
    for rule in RULES:
        if rule.kind in kinds:
            for place in np.flatnonzero(rule.matches(table)):
                gone.setdefault(int(place), (rule.kind, rule.reason))
    if "dead" in kinds:
        places, texts = _with_years(table)
        for place, text in zip(places, texts, strict=True):
            if is_past(text, today):
                gone.setdefault(place, ("dead", "asks for a date in the past"))
    ids, sources = table["task_id"], table["source"]
    dropped = [
        RemovedTask(ids[place].as_py(), kind, reason, sources[place].as_py())
        for place, (kind, reason) in sorted(gone.items())
    ]
    keep = np.ones(table.num_rows, bool)
    keep[list(gone)] = False
    return table.filter(arrow().array(keep)), dropped


def _with_years(table: Any) -> tuple[list[int], list[str]]:
    """Return the indices and instructions of tasks that mention a year."""
    mask = compute().match_substring_regex(table["instruction"], _PLANS_DATES)
    places = np.flatnonzero(mask.combine_chunks().to_numpy(zero_copy_only=False))
    return [int(place) for place in places], table["instruction"].take(arrow().array(places)).to_pylist()


def _told(table: Any, found: Duplicates) -> list[RemovedTask]:
    gone = found.gone()
    stays = found.stands[gone]
    ids, sources = (table[name].combine_chunks() for name in ("task_id", "source"))
    names = zip(
        ids.take(arrow().array(gone)).to_pylist(),
        sources.take(arrow().array(gone)).to_pylist(),
        ids.take(arrow().array(stays)).to_pylist(),
        sources.take(arrow().array(stays)).to_pylist(),
        found.exact[gone].tolist(),
        found.similarity[gone].tolist(),
        strict=True,
    )
    return [
        RemovedTask(
            task_id,
            "exact" if exact else "near",
            "duplicate of another task" if exact else "near-duplicate of another task",
            source,
            instead,
            instead_source,
            round(similarity, 3),
        )
        for task_id, source, instead, instead_source, exact, similarity in names
    ]


def _dated(table: Any) -> tuple[Any, int]:
    """Rewrite the rows that mention a year, keeping the order of the table."""
    places, _ = _with_years(table)
    found = [made_relative(row) for row in rows_of(table.take(arrow().array(places, "int64")))]
    changed = [row for row in found if row is not None]
    if not changed:
        return table, 0
    moved = np.array([place for place, row in zip(places, found, strict=True) if row is not None], np.int64)
    rest: Places = np.setdiff1d(np.arange(table.num_rows, dtype=np.int64), moved)
    parts = [table.take(arrow().array(rest)), table_of(changed)]
    order = np.argsort(np.concatenate((rest, moved)), kind="stable")
    return arrow().concat_tables(parts).unify_dictionaries().take(arrow().array(order)), len(changed)

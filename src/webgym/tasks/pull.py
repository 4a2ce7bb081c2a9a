"""Published task sets: download, verify, and store under their name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.errors import ConfigError, TaskSetError
from webgym.records.task_row import TaskRow
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.card import Card
from webgym.tasks.hub import fetched
from webgym.tasks.importing import ImportTally, import_rows
from webgym.tasks.library import library
from webgym.tasks.sets import TaskSet, save_set, set_of
from webgym.tasks.sources.registry import SOURCES
from webgym.tasks.split.leaks import Leak, complain, find_leaks


@dataclass(frozen=True, slots=True)
class Release:
    """A published set: where it is, and how many tasks it must hold."""

    name: str
    repository: str
    source: str
    rows: dict[str, int]
    """Number of tasks per split; each split is in `SPLIT.jsonl`."""


RELEASES = {
    release.name: release
    for release in (Release("webgym", "microsoft/webgym_tasks", "webgym", {"train": 292_092, "test": 1_167}),)
}
_HARD = frozenset({"website", "id"})
"""Leaks that the publishers rule out. The other kinds come from our stricter check."""


@dataclass(frozen=True, slots=True)
class PulledSet:
    """A set that was pulled and stored."""

    card: Card
    folder: Path
    tally: ImportTally
    leaks: tuple[Leak, ...]
    """All leaks found, including those of our stricter check."""
    dropped: int
    """Number of training tasks dropped because of them."""


def pull(
    name: str, *, copy: Path | None = None, drop_leaks: bool = False, replace: bool = False, counts: bool = True
) -> PulledSet:
    """Download a published set or read a local copy, verify it, and store it under its name.

    Raises:
        ConfigError: There is no such set.
        TaskSetError: It cannot be downloaded, or its number of tasks is wrong.
        LeakFound: A training task is on a test website, or shares an id, and `drop_leaks` is off.
    """
    if name not in RELEASES:
        raise ConfigError(f"unknown published task set {name!r}; choose from {', '.join(RELEASES)}")
    release, tally = RELEASES[name], ImportTally()
    found = set_of(
        name,
        _rows(release, copy, tally, counts=counts),
        (f"pulled {release.repository}" + (f" from the copy {copy.name}" if copy else ""),),
    )
    leaks = find_leaks(found)
    gone = {leak.task_id for leak in leaks if leak.kind != "repeated"} if drop_leaks else set[str]()
    if not drop_leaks:
        complain([leak for leak in leaks if leak.kind in _HARD], f"{name} (--drop-leaks removes such tasks)")
    kept = _without(found, gone)
    folder = library() / name
    return PulledSet(save_set(kept, folder, replace=replace), folder, tally, tuple(leaks), len(found) - len(kept))


def _rows(release: Release, copy: Path | None, tally: ImportTally, *, counts: bool) -> Iterator[TaskRow]:
    source = SOURCES[release.source]
    for split, expected in release.rows.items():
        file = f"{split}.jsonl"
        path = copy / file if copy else fetched(f"hf://datasets/{release.repository}/{file}")
        before = tally.kept
        for row in import_rows(source, [path], tally):
            yield row if row.split == split else msgspec.structs.replace(row, split=split)
        if counts and tally.kept - before != expected:
            told = f"; first unreadable entry: {tally.problems[0]}" if tally.problems else ""
            raise TaskSetError(
                f"{path} holds {tally.kept - before:,} tasks, not {expected:,} as published{told}; "
                "pass --any-count to accept it"
            )


def _without(tasks: TaskSet, ids: set[str]) -> TaskSet:
    if not ids:
        return tasks
    table = tasks.table
    trained = compute().equal(table["split"].cast("string"), "train")
    gone = compute().and_(trained, compute().is_in(table["task_id"], value_set=arrow().array(sorted(ids))))
    step = f"removed {len(ids):,} training tasks that leaked test tasks"
    return TaskSet(tasks.name, table.filter(compute().invert(gone)), (*tasks.made, step))

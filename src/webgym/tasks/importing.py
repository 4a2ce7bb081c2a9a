"""Imports the files of a source as task rows, and records what was rejected and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.entries import read_entries
from webgym.tasks.problem import BadEntry, Problem, SkippedEntry
from webgym.tasks.sources.source import Source


@dataclass
class ImportTally:
    """Counts over the entries of a source."""

    read: int = 0
    kept: int = 0
    problems: list[Problem] = field(default_factory=list[Problem])
    inferred: Counter[str] = field(default_factory=Counter[str])
    """Rows by how their website was determined; `nobody` for rows without one."""


def import_rows(source: Source, paths: Iterable[Path], tally: ImportTally, *, revision: str = "") -> Iterator[TaskRow]:
    """Yield the tasks of a source's files; `tally` collects counts and rejected entries.

    Raises:
        TaskSetError: A file is missing or of an unknown type.
    """
    seen: Counter[str] = Counter()
    taken: set[str] = set()
    for path in paths:
        for found in import_file(source, path, revision=revision):
            tally.read += 1
            if isinstance(found, Problem):
                tally.problems.append(found)
                continue
            tally.kept += 1
            tally.inferred[_website_from(found)] += 1
            task_id = found.task_id if source.name == "webgym" else _free(found.task_id, seen, taken)
            yield found if task_id == found.task_id else msgspec.structs.replace(found, task_id=task_id)


def _free(task_id: str, seen: Counter[str], taken: set[str]) -> str:
    """Return the id, made unique among all ids of the source by a numeric suffix if necessary."""
    free = task_id
    while not seen[task_id] or free in taken:
        seen[task_id] += 1
        free = task_id if seen[task_id] == 1 else f"{task_id}-{seen[task_id]}"
    taken.add(free)
    return free


def import_file(source: Source, path: Path, *, revision: str = "") -> Iterator[TaskRow | Problem]:
    """Yield every entry of one file, as a task or as a problem."""
    read = source.reader(path)
    origin = Provenance(source=source.name, file=path.name, licence=source.licence, revision=revision)
    for line, entry in read_entries(path):
        if isinstance(entry, Problem):
            yield entry
            continue
        try:
            row = read(entry, msgspec.structs.replace(origin, line=line))
        except BadEntry as error:
            yield Problem(path.name, line, str(error))
        except SkippedEntry as error:
            yield Problem(path.name, line, str(error), kind="skipped")
        else:
            yield row if row.benchmark else msgspec.structs.replace(row, benchmark=source.benchmark)


def _website_from(row: TaskRow) -> str:
    if not row.website:
        return "nobody"
    return next((column.partition(":")[2] for column in row.inferred if column.startswith("website:")), "the source")

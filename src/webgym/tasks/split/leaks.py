"""The leak check: does a training task reveal a test task or its website?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from webgym.errors import LeakFound
from webgym.records.base import Record
from webgym.tasks.arrow import compute
from webgym.tasks.sets import TaskSet
from webgym.tasks.similarity.shingles import Places
from webgym.tasks.split.traces import families_of, naming, same_text, websites_of

TRAIN, TEST = "train", "test"
_MOST_TOLD = 5


class Leak(Record, frozen=True):
    """A training task, and the test task or website that it leaks."""

    kind: str
    """`website`: the same registered domain. `alias`: the same website under another name. `named`: the text names the
    website. `text`: a duplicate or near-duplicate. `part`: both belong to one decomposed task. `id`: the same task id.
    `repeated`: another test task is on the same website."""
    task_id: str
    test_task_id: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.task_id} leaks {self.test_task_id} ({self.detail})"


def find_leaks(tasks: TaskSet, *, train: str = TRAIN, test: str = TEST) -> list[Leak]:
    """Return every leak from one split to the other; each training task at most once per kind."""
    table = tasks.table
    split = table["split"].cast("string").combine_chunks()
    ours, theirs = (
        np.flatnonzero(compute().equal(split, name).to_numpy(zero_copy_only=False)).astype(np.int64)
        for name in (test, train)
    )
    if not len(ours) or not len(theirs):
        return []
    ids: list[str] = table["task_id"].combine_chunks().to_pylist()
    leaks = _websites(table, ids, ours, theirs)
    pairs = same_text(table, ours, theirs)
    told = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.similarity.tolist(), strict=True)
    leaks += _once("text", ids, ((left, right, f"{alike:.0%} of word pairs shared") for left, right, alike in told))
    families = families_of(table)
    leaks += _once("part", ids, _equal(families, ours, theirs, "parts of one task"))
    names = {ids[int(place)] for place in ours}
    twice = [ids[int(place)] for place in theirs if ids[int(place)] in names]
    leaks += [Leak("id", name, name, "the same id") for name in twice]
    return leaks


def check_leaks(tasks: TaskSet, *, train: str = TRAIN, test: str = TEST) -> None:
    """Raise if there is a leak.

    Raises:
        LeakFound: There is one; the message counts leaks by kind and lists some.
    """
    complain(find_leaks(tasks, train=train, test=test), tasks.name)


def complain(leaks: list[Leak], name: str) -> None:
    """Raise if there are leaks.

    Raises:
        LeakFound: There are.
    """
    if not leaks:
        return
    counts = {kind: sum(leak.kind == kind for leak in leaks) for kind in dict.fromkeys(leak.kind for leak in leaks)}
    summary = ", ".join(f"{number:,} by {kind}" for kind, number in counts.items())
    told = "\n".join(f"  {leak}" for leak in leaks[:_MOST_TOLD])
    raise LeakFound(f"{name} leaks: {summary}\n{told}")


def _websites(table: Any, ids: list[str], ours: Places, theirs: Places) -> list[Leak]:
    websites = websites_of(table)
    sites: list[str] = table["site"].combine_chunks().to_pylist()
    owners = websites.owner
    somewhere: Places = ours[owners[ours] != websites.nowhere]
    leaks: list[Leak] = []
    seen: dict[int, int] = {}
    for place in map(int, somewhere):
        other = seen.setdefault(int(owners[place]), place)
        if other != place:
            leaks.append(Leak("repeated", ids[place], ids[other], f"both on {sites[place]}"))
    for test, train, _ in _equal(owners, somewhere, theirs, ""):
        same = sites[test] == sites[train]
        detail = sites[test] if same else f"{sites[train]} is {sites[test]}"
        leaks.append(Leak("website" if same else "alias", ids[train], ids[test], detail))
    tested = {websites.names[owner]: place for owner, place in seen.items()}
    for train, owner in naming(table, theirs, set(tested)):
        leaks.append(Leak("named", ids[train], ids[tested[owner]], f"its text names {sites[tested[owner]]}"))
    return leaks


def _equal(values: Places, ours: Places, theirs: Places, detail: str) -> list[tuple[int, int, str]]:
    """Pair each of `theirs` with the first of `ours` that has the same value."""
    first = {int(values[place]): place for place in reversed(ours.tolist())}
    some = theirs[np.isin(values[theirs], list(first))]
    return [(first[int(values[place])], place, detail) for place in some.tolist()]


def _once(kind: str, ids: list[str], found: Iterable[tuple[int, int, str]]) -> list[Leak]:
    """Keep one test task per training task."""
    leaks: dict[int, Leak] = {}
    for test, train, detail in found:
        leaks.setdefault(train, Leak(kind, ids[train], ids[test], detail))
    return list(leaks.values())

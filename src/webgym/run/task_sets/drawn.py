"""The tasks of a run, from a task set."""

from __future__ import annotations

from collections.abc import Iterator

from webgym.errors import ConfigError
from webgym.records.task import Task
from webgym.run.task_sets.drawing import Drawing, Say, drawn_from
from webgym.tasks.library import EVERY, split_reference
from webgym.tasks.sets import TaskSet, open_set


def drawn_tasks(reference: str, split: str, drawing: Drawing, say: Say) -> Iterator[Task]:
    """Yield the tasks of a set that can be attempted, each once, in the order of the drawing.

    Only those of this split, unless the reference names a split or the set has none.

    Raises:
        ConfigError: No set is named, it lacks the split, or the drawing is invalid.
        TaskSetError: There is no such set, it has no such task, or all are quarantined.
    """
    if not reference:
        raise ConfigError("tasks.use=set needs tasks.file: a folder or a name, such as webgym:test")
    yield from drawn_from(_of_split(reference, split), drawing, say)


def _of_split(reference: str, split: str) -> TaskSet:
    found = open_set(reference)
    place, named = split_reference(reference)
    known = found.splits()
    if named or not known:
        return found
    if split not in known:
        others = " or ".join(f"tasks.file={place}:{one}" for one in (*known, EVERY))
        raise ConfigError(f"{place} has no split {split!r} (tasks.split): use {others}")
    return found.of_split(split)

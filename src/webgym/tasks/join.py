"""Concatenation of task sets."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.errors import TaskSetError
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.sets import TaskSet


def join(sets: Sequence[TaskSet]) -> TaskSet:
    """Concatenate all tasks of all sets, in order.

    Raises:
        TaskSetError: Two tasks share an id.
    """
    if len(sets) == 1:
        return sets[0]
    table = arrow().concat_tables([task_set.table for task_set in sets]).unify_dictionaries()
    ids = table["task_id"]
    if compute().count_distinct(ids).as_py() != table.num_rows:
        counts = ids.combine_chunks().value_counts()
        twice = counts.field("values").filter(compute().greater(counts.field("counts"), 1))
        raise TaskSetError(f"{len(twice):,} ids occur in more than one set, such as {twice[0].as_py()!r}")
    made = tuple(step for task_set in sets for step in task_set.made)
    return TaskSet("+".join(task_set.name for task_set in sets), table, made)

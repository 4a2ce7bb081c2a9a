"""The pool of tasks to draw from, as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webgym.errors import TaskSetError
from webgym.tasks.arrow import arrow, compute
from webgym.tasks.clean.duplicates import codes
from webgym.tasks.sets import TaskSet
from webgym.tasks.similarity.shingles import Places

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TaskPool:
    """The tasks of a set, as samplers need them."""

    tasks: TaskSet
    difficulty: Places
    site: Places
    """A number per website; tasks without a website share one, too."""
    fingerprint: str
    """Hash of the task ids in order: a sampler resumes only with the pool it started with."""

    def __len__(self) -> int:
        return len(self.difficulty)

    def without(self, sites: Collection[str] = (), task_ids: Collection[str] = ()) -> Mask | None:
        """Return a mask of the tasks that are currently excluded; None if there are none."""
        if not sites and not task_ids:
            return None
        pc, table = compute(), self.tasks.table
        out: Any = pc.or_(_among(table["site"], sites), _among(table["task_id"], task_ids))
        return out.combine_chunks().to_numpy(zero_copy_only=False).astype(bool)


def pool_of(tasks: TaskSet) -> TaskPool:
    """Build the pool of all tasks of a set.

    Raises:
        TaskSetError: The set is empty.
    """
    if not len(tasks):
        raise TaskSetError(f"{tasks.name} has no tasks to draw from")
    table = tasks.table
    difficulty: Places = table["difficulty"].combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)
    return TaskPool(tasks, difficulty, codes(table["site"]), _fingerprint(table["task_id"]))


def _fingerprint(ids: Any) -> str:
    flat = ids.combine_chunks()
    total = hashlib.sha256(str(len(flat)).encode())
    for buffer in arrow().concat_arrays([flat]).buffers()[1:]:
        total.update(buffer)
    return total.hexdigest()[:16]


def _among(column: Any, values: Collection[str]) -> Any:
    return compute().is_in(column, value_set=arrow().array(sorted(values), "string"))

"""The tasks that are drawn from, as arrays."""

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
class Pool:
    """What samplers know about the tasks of a set."""

    tasks: TaskSet
    difficulty: Places
    site: Places
    """A number for each website; tasks without one have one too."""
    fingerprint: str
    """Of the tasks and their order: a sampler goes on only with the pool it began with."""

    def __len__(self) -> int:
        return len(self.difficulty)

    def without(self, sites: Collection[str] = (), task_ids: Collection[str] = ()) -> Mask | None:
        """Which tasks are out of the pool for now; None if all are in."""
        if not sites and not task_ids:
            return None
        pc, table = compute(), self.tasks.table
        out: Any = pc.or_(_among(table["site"], sites), _among(table["task_id"], task_ids))
        return out.combine_chunks().to_numpy(zero_copy_only=False).astype(bool)


def pool_of(tasks: TaskSet) -> Pool:
    """The pool of all tasks of a set.

    Raises:
        TaskSetError: There is none.
    """
    if not len(tasks):
        raise TaskSetError(f"{tasks.name} has no tasks to draw from")
    table = tasks.table
    difficulty: Places = table["difficulty"].combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)
    return Pool(tasks, difficulty, codes(table["site"]), _fingerprint(table["task_id"]))


def _fingerprint(ids: Any) -> str:
    flat = ids.combine_chunks()
    total = hashlib.sha256(str(len(flat)).encode())
    for buffer in arrow().concat_arrays([flat]).buffers()[1:]:
        total.update(buffer)
    return total.hexdigest()[:16]


def _among(column: Any, values: Collection[str]) -> Any:
    return compute().is_in(column, value_set=arrow().array(sorted(values), "string"))

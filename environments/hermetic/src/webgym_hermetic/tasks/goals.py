"""Serialization of goals in `Task.exact`."""

from __future__ import annotations

from functools import cache
from typing import Any, Union

import msgspec

from webgym.errors import SiteStateError
from webgym.records.task import Task
from webgym_hermetic.goal import Goal
from webgym_hermetic.registry import family


def encode(goals: tuple[Goal, ...]) -> str:
    """Encode goals as JSON for `Task.exact`."""
    return msgspec.json.encode(goals).decode()


def goals_of(task: Task, family_name: str) -> tuple[Goal, ...]:
    """Decode the goals of a task on a site of this family.

    Raises:
        SiteStateError: The task has no goals, or those of another family.
    """
    if not task.exact:
        raise SiteStateError(f"task {task.task_id} is not one of a hermetic site: it has no exact checks")
    try:
        return _decoder(family_name).decode(task.exact)
    except msgspec.DecodeError as error:
        raise SiteStateError(f"the checks of task {task.task_id} do not fit a {family_name}: {error}") from error


@cache
def _decoder(family_name: str) -> msgspec.json.Decoder[Any]:
    union: Any = Union[family(family_name).goals]  # noqa: UP007  built at run time
    return msgspec.json.Decoder(tuple[union, ...])

"""Verdicts from what the user's function says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from webgym.errors import JudgeError
from webgym.records.task import Task
from webgym.records.verdict import FactVerdict, Verdict


def verdict_of(task: Task, holds: Sequence[bool], credit: float | None = None) -> Verdict:
    """Return a verdict with a finding for each fact of the rubric, in its order.

    Raises:
        JudgeError: There are more or fewer facts.
    """
    places = [(group.id, index) for group in task.rubric for index in range(len(group.facts))]
    if len(places) != len(holds):
        raise JudgeError(f"the verdict on {task.task_id} is on {len(holds)} facts, but the task has {len(places)}")
    facts = tuple(FactVerdict(*place, bool(one)) for place, one in zip(places, holds, strict=True))
    return Verdict(facts, credit=credit, judge="exact")


def understood(task: Task, found: Any, where: str) -> Verdict:
    """Return the verdict that the user's function means.

    Raises:
        JudgeError: It returned neither truth values nor a verdict on every fact.
    """
    match found:
        case Verdict():
            if len(found.facts) != task.difficulty:
                raise JudgeError(f"{where} judged {len(found.facts)} facts, but the task has {task.difficulty}")
            return found if found.judge else msgspec.structs.replace(found, judge="exact")
        case bool():
            return verdict_of(task, [found] * task.difficulty)
        case list() | tuple() if all(isinstance(one, bool) for one in cast("Sequence[Any]", found)):
            return verdict_of(task, cast("Sequence[bool]", found))
        case _:
            raise JudgeError(f"{where} returned {found!r}: it has to be a bool, one for each fact, or a Verdict")

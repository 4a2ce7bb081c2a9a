"""Converts a row of a task set to the task to attempt: decrypted, and with dates filled in."""

from __future__ import annotations

import datetime as dt

from webgym.records.task import FactGroup, Task
from webgym.records.task_row import TaskRow
from webgym.tasks.clean.dates import rubric_with_dates, with_dates
from webgym.tasks.sealing import opened

_AS_REFERENCE = (FactGroup(1, "answer", ("The answer says the same as the reference answer.",)),)
"""Rubric of sealed tasks that have none. It does not reveal the answer."""


def task_of(row: TaskRow, today: dt.date, start: str = "") -> Task:
    """Return the task as of today; it starts at `start` if it has no website.

    Raises:
        TaskSetError: It is sealed and cannot be decrypted.
    """
    clear = opened(row)
    return Task(
        task_id=clear.task_id,
        instruction=with_dates(clear.instruction, today),
        website=clear.website or start,
        rubric=rubric_with_dates(clear.rubric, today) or (_AS_REFERENCE if row.sealed and clear.answer else ()),
        benchmark=clear.benchmark,
        domain=clear.domain,
        subdomain=clear.subdomain,
        split=clear.split,
        template=clear.template,
        exact=clear.exact,
        decomposed_from=clear.decomposed_from,
        reference=clear.answer or "",
    )

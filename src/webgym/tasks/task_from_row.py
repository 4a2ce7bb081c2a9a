"""A row of a task set as the task that is attempted: opened, and with the dates of the day."""

from __future__ import annotations

import datetime as dt

from webgym.records.task import FactGroup, Task
from webgym.records.task_row import TaskRow
from webgym.tasks.clean.dates import rubric_with_dates, with_dates
from webgym.tasks.sealing import opened

_AS_REFERENCE = (FactGroup(1, "answer", ("The answer says the same as the reference answer.",)),)
"""Of sealed tasks without a rubric. It does not say what the answer is."""


def task_of(row: TaskRow, today: dt.date, start: str = "") -> Task:
    """The task, as it is asked for today; it begins at `start` if it has no website.

    Raises:
        TaskSetError: It is sealed, and cannot be opened.
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

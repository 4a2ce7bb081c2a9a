"""A row of a task set as the task that is attempted: opened, and with the dates of the day."""

from __future__ import annotations

import datetime as dt

from webgym.records.task import Task
from webgym.records.task_row import TaskRow
from webgym.tasks.clean.dates import rubric_with_dates, with_dates
from webgym.tasks.sealing import opened


def task_of(row: TaskRow, today: dt.date) -> Task:
    """The task, as it is asked for today.

    Raises:
        TaskSetError: It is sealed, and cannot be opened.
    """
    clear = opened(row)
    return Task(
        task_id=clear.task_id,
        instruction=with_dates(clear.instruction, today),
        website=clear.website,
        rubric=rubric_with_dates(clear.rubric, today),
        benchmark=clear.benchmark,
        domain=clear.domain,
        subdomain=clear.subdomain,
        split=clear.split,
        template=clear.template,
        exact=clear.exact,
        decomposed_from=clear.decomposed_from,
        reference=clear.answer or "",
    )

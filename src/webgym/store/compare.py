"""Paired comparison of two runs, task by task."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from webgym.records.base import Record
from webgym.store.rows import Row
from webgym.store.statistics import Interval, paired_difference, sign_test


class Flip(Record, frozen=True, omit_defaults=False):
    """A task whose mean reward differs between the runs."""

    task_id: str
    instruction: str
    a: float
    b: float
    """Mean rewards of the graded attempts in runs `a` and `b`."""
    attempts_a: tuple[str, ...]
    attempts_b: tuple[str, ...]


class Comparison(Record, frozen=True, omit_defaults=False):
    """What changed from run `a` to run `b`, over the tasks graded in both."""

    a: str
    b: str
    tasks: int
    ungraded: int
    """Tasks in both runs that have no graded attempt in at least one."""
    only_a: int
    only_b: int
    success_a: float
    success_b: float
    difference: Interval
    gained: tuple[Flip, ...]
    lost: tuple[Flip, ...]
    p_value: float
    """p-value of the exact sign test of tasks gained against tasks lost."""


def compare(name_a: str, rows_a: Iterable[Row], name_b: str, rows_b: Iterable[Row]) -> Comparison:
    """Compare two runs, paired by task. Multiple attempts at a task are averaged."""
    all_a, all_b = _by_task(rows_a), _by_task(rows_b)
    scores_a, scores_b = _scores(all_a), _scores(all_b)
    both = sorted(scores_a.keys() & scores_b.keys())
    flips = [
        Flip(
            task_id=task,
            instruction=all_b[task][0].instruction,
            a=scores_a[task],
            b=scores_b[task],
            attempts_a=tuple(row.attempt_id for row in all_a[task]),
            attempts_b=tuple(row.attempt_id for row in all_b[task]),
        )
        for task in both
        if scores_a[task] != scores_b[task]
    ]
    gained = tuple(flip for flip in flips if flip.b > flip.a)
    lost = tuple(flip for flip in flips if flip.b < flip.a)
    return Comparison(
        a=name_a,
        b=name_b,
        tasks=len(both),
        ungraded=len(all_a.keys() & all_b.keys()) - len(both),
        only_a=len(all_a.keys() - all_b.keys()),
        only_b=len(all_b.keys() - all_a.keys()),
        success_a=fmean(scores_a[task] for task in both) if both else 0.0,
        success_b=fmean(scores_b[task] for task in both) if both else 0.0,
        difference=paired_difference(scores_a, scores_b),
        gained=gained,
        lost=lost,
        p_value=sign_test(len(gained), len(lost)),
    )


def _by_task(rows: Iterable[Row]) -> dict[str, list[Row]]:
    tasks: dict[str, list[Row]] = {}
    for row in rows:
        tasks.setdefault(row.task_id, []).append(row)
    return tasks


def _scores(tasks: dict[str, list[Row]]) -> dict[str, float]:
    rewards = {task: [row.reward for row in rows if row.reward is not None] for task, rows in tasks.items()}
    return {task: fmean(found) for task, found in rewards.items() if found}

"""Success with its uncertainty: the one place where a share of attempts becomes a rate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.trajectory import OutcomeKind
from webgym.store.rows import Row
from webgym.store.statistics import CONFIDENCE, normal_quantile, wilson

GRADED: frozenset[OutcomeKind] = frozenset({"success", "failure", "truncated"})
"""Outcomes with a reward; the others say nothing about the agent."""
_ROUNDING = 1e-9

Ends = Mapping[tuple[str, OutcomeKind], int]
"""How many attempts at a task ended so, for every task and outcome that occur."""


class Success(Record, frozen=True, omit_defaults=False):
    """How often some attempts succeed, counted in both ways."""

    over_all: Rate
    """Of every attempt that is over: whatever was blocked or lost counts as not solved."""
    over_graded: Rate
    """Of those with a reward: no website blocked them, and nothing was lost to infrastructure, judge or a stop."""
    blocked_rate: float
    """Share of attempts that are over and were blocked."""


def ends_of(rows: Iterable[Row]) -> dict[tuple[str, OutcomeKind], int]:
    """Attempts that are over, counted."""
    found: dict[tuple[str, OutcomeKind], int] = {}
    for row in rows:
        if row.outcome is not None:
            found[row.task_id, row.outcome] = found.get((row.task_id, row.outcome), 0) + 1
    return found


def success(ends: Ends) -> Success:
    """Both rates of the same attempts."""
    over = sum(ends.values())
    blocked = sum(count for (_, outcome), count in ends.items() if outcome == "blocked")
    graded = {key: count for key, count in ends.items() if key[1] in GRADED}
    return Success(rate(ends), rate(graded), blocked / over if over else 0.0)


def rate(ends: Ends) -> Rate:
    """The share of successes. Attempts at the same task are not independent: tasks are, and the interval says so."""
    tasks: dict[str, tuple[int, int]] = {}
    for (task, outcome), count in ends.items():
        solved, tried = tasks.get(task, (0, 0))
        tasks[task] = solved + count * (outcome == "success"), tried + count
    successes, attempts = (sum(one[place] for one in tasks.values()) for place in (0, 1))
    if not attempts:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    share = successes / attempts
    low, high = wilson(successes, attempts) if len(tasks) == attempts else _clustered(list(tasks.values()), share)
    return Rate(successes, attempts, share, low, high)


def _clustered(tasks: Sequence[tuple[int, int]], share: float) -> tuple[float, float]:
    """From the spread between tasks (linearised ratio)."""
    if len(tasks) < 2:
        return 0.0, 1.0
    total = sum(tried for _, tried in tasks)
    spread = sum((solved - share * tried) ** 2 for solved, tried in tasks) * len(tasks) / (len(tasks) - 1)
    half = normal_quantile(CONFIDENCE) * math.sqrt(spread) / total
    # All tasks agree, but for rounding: fall back on as many independent draws as there are tasks.
    if half < _ROUNDING:
        return wilson(round(share * len(tasks)), len(tasks))
    return max(0.0, share - half), min(1.0, share + half)

"""Success rates with confidence intervals. All rates are computed here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.trajectory import OutcomeKind
from webgym.store.rows import Row
from webgym.store.statistics import CONFIDENCE, normal_quantile, wilson

GRADED: frozenset[OutcomeKind] = frozenset({"success", "failure", "truncated"})
"""Outcomes with a reward; the others are not the agent's doing."""
_ROUNDING = 1e-9

Ends = Mapping[tuple[str, OutcomeKind], int]
"""Number of attempts by task and outcome."""


class SuccessRates(Record, frozen=True, omit_defaults=False):
    """Success rates over all finished attempts and over the graded ones."""

    over_all: Rate
    """Over every finished attempt; those without a reward count as failures."""
    over_graded: Rate
    """Over attempts with a reward: not blocked, cancelled, or lost to infrastructure or the judge."""
    blocked_rate: float
    """Fraction of finished attempts that were blocked."""


def ends_of(rows: Iterable[Row]) -> dict[tuple[str, OutcomeKind], int]:
    """Count the finished attempts by task and outcome."""
    found: dict[tuple[str, OutcomeKind], int] = {}
    for row in rows:
        if row.outcome is not None:
            found[row.task_id, row.outcome] = found.get((row.task_id, row.outcome), 0) + 1
    return found


def success(ends: Ends) -> SuccessRates:
    """Compute the success rates over all and over graded attempts."""
    over = sum(ends.values())
    blocked = sum(count for (_, outcome), count in ends.items() if outcome == "blocked")
    graded = {key: count for key, count in ends.items() if key[1] in GRADED}
    return SuccessRates(rate(ends), rate(graded), blocked / over if over else 0.0)


def rate(ends: Ends) -> Rate:
    """Compute a success rate. The interval is clustered by task: attempts at the same task are not independent."""
    tasks: dict[str, tuple[int, int]] = {}
    for (task, outcome), count in ends.items():
        solved, tried = tasks.get(task, (0, 0))
        tasks[task] = solved + count * (outcome == "success"), tried + count
    successes, attempts = (sum(counts[place] for counts in tasks.values()) for place in (0, 1))
    if not attempts:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    share = successes / attempts
    low, high = wilson(successes, attempts) if len(tasks) == attempts else _clustered(list(tasks.values()), share)
    return Rate(successes, attempts, share, low, high)


def _clustered(tasks: Sequence[tuple[int, int]], share: float) -> tuple[float, float]:
    """Interval from the variance between tasks (linearised ratio estimator)."""
    if len(tasks) < 2:
        return 0.0, 1.0
    total = sum(tried for _, tried in tasks)
    spread = sum((solved - share * tried) ** 2 for solved, tried in tasks) * len(tasks) / (len(tasks) - 1)
    half = normal_quantile(CONFIDENCE) * math.sqrt(spread) / total
    # All tasks agree (up to rounding): fall back to one independent trial per task.
    if half < _ROUNDING:
        return wilson(round(share * len(tasks)), len(tasks))
    return max(0.0, share - half), min(1.0, share + half)

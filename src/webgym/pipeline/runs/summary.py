"""How well a run went: rates with their intervals, over all attempts and over those that were graded."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Sequence

from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.trajectory import OUTCOME_KINDS, OutcomeKind
from webgym.store.rows import Row
from webgym.store.statistics import wilson

_NORMAL_95 = 1.959964
MASKED_WARNING = 0.05
"""Share of ended attempts without a reward above which the rates deserve doubt."""
MOST_REASONS = 3


class Summary(Record, frozen=True, omit_defaults=False):
    """A run in figures."""

    submitted: int
    outcomes: dict[OutcomeKind, int]
    open: int
    tasks: int
    success_over_all: Rate
    """Of every attempt, whatever became of it."""
    success_over_graded: Rate
    """Of those that say something about the agent: blocked, infrastructure and the like left out."""
    blocked_rate: float
    masked_rate: float
    masked_for: dict[str, int]
    """The commonest reasons why attempts have no reward, as they were recorded."""
    by_level: dict[str, Rate]
    by_domain: dict[str, Rate]
    by_site: dict[str, Rate]
    mean_steps: float
    mean_steps_of_successes: float
    sampled_tokens: int
    cost: float
    seconds: float

    @property
    def warnings(self) -> tuple[str, ...]:
        """What should make a reader careful."""
        found: list[str] = []
        if self.masked_rate > MASKED_WARNING:
            reasons = ", ".join(f"{reason} {count} times" for reason, count in self.masked_for.items())
            found.append(f"{self.masked_rate:.1%} of the attempts have no reward: {reasons}")
        return tuple(found)


def summarise(rows: Sequence[Row]) -> Summary:
    """The figures of a run's attempts."""
    ended = [row for row in rows if row.outcome is not None]
    graded = [row for row in ended if row.reward is not None]
    masked = [row for row in ended if row.reward is None]
    counts = collections.Counter(row.outcome for row in ended)
    outcomes: dict[OutcomeKind, int] = {kind: counts[kind] for kind in OUTCOME_KINDS}
    return Summary(
        submitted=len(rows),
        outcomes=outcomes,
        open=len(rows) - len(ended),
        tasks=len({row.task_id for row in rows}),
        success_over_all=rate(ended),
        success_over_graded=rate(graded),
        blocked_rate=outcomes["blocked"] / len(ended) if ended else 0.0,
        masked_rate=1 - len(graded) / len(ended) if ended else 0.0,
        masked_for=dict(collections.Counter(map(_reason, masked)).most_common(MOST_REASONS)),
        by_level=_by(graded, lambda row: row.level, ("easy", "medium", "hard")),
        by_domain=_by(graded, lambda row: row.domain),
        by_site=_by(graded, lambda row: row.site),
        mean_steps=_mean(row.steps for row in graded),
        mean_steps_of_successes=_mean(row.steps for row in graded if row.outcome == "success"),
        sampled_tokens=sum(row.sampled_tokens for row in rows),
        cost=sum(row.cost for row in rows),
        seconds=_span(ended),
    )


def rate(rows: Sequence[Row]) -> Rate:
    """The share of successes. Attempts at the same task are not independent: tasks are, and the interval says so."""
    successes = sum(row.outcome == "success" for row in rows)
    if not rows:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    tasks: dict[str, list[int]] = collections.defaultdict(list)
    for row in rows:
        tasks[row.task_id].append(int(row.outcome == "success"))
    share = successes / len(rows)
    if len(tasks) == len(rows):
        low, high = wilson(successes, len(rows))
    else:
        low, high = _clustered(list(tasks.values()), share)
    return Rate(successes, len(rows), share, low, high)


def _clustered(tasks: Sequence[Sequence[int]], share: float) -> tuple[float, float]:
    """From the spread between tasks (linearised ratio)."""
    if len(tasks) < 2:
        return 0.0, 1.0
    total = sum(len(task) for task in tasks)
    spread = sum((sum(task) - share * len(task)) ** 2 for task in tasks) * len(tasks) / (len(tasks) - 1)
    half = _NORMAL_95 * math.sqrt(spread) / total
    if not half:  # all tasks agree: fall back on as many independent draws as there are tasks
        return wilson(round(share * len(tasks)), len(tasks))
    return max(0.0, share - half), min(1.0, share + half)


def _reason(row: Row) -> str:
    detail = " ".join(row.detail.split())
    return f"{row.outcome} ({detail[:80]})" if detail else str(row.outcome)


def _by(rows: Sequence[Row], key: Callable[[Row], str], order: Sequence[str] = ()) -> dict[str, Rate]:
    found: dict[str, list[Row]] = collections.defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    names = [name for name in order if name in found] or sorted(found)
    return {name: rate(found[name]) for name in names}


def _mean(values: Iterable[int]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _span(rows: Sequence[Row]) -> float:
    ends = [row.ended for row in rows if row.ended is not None]
    return max(ends) - min(row.began for row in rows) if ends else 0.0

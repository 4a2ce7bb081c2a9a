"""Compares two runs task by task."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.records.base import Record
from webgym.store.compare import compare
from webgym.store.rows import Row
from webgym.store.statistics import Interval
from webgym.viewer.rates import OutcomeSummary, kind_of, summary

FLIPS = ("lost", "gained", "same", "ungraded", "only_a", "only_b")


class PairMember(Record, frozen=True, omit_defaults=False):
    """One run's attempt at a task."""

    attempt_id: str
    outcome: str
    steps: int


class Side(Record, frozen=True, omit_defaults=False):
    """One run's attempts at a task."""

    members: tuple[PairMember, ...]
    share: float | None
    """Mean reward of the graded attempts."""
    shown: str
    """Id of the most representative attempt; empty if there is none."""


class TaskPair(Record, frozen=True, omit_defaults=False):
    """One task in both runs."""

    task_id: str
    instruction: str
    site: str
    level: str
    flip: str
    """One of `FLIPS`. `gained`: the second run is better. `ungraded`: one of them has no graded attempt."""
    a: Side
    b: Side


class RunComparison(Record, frozen=True, omit_defaults=False):
    """A comparison of two runs over all their tasks."""

    a: OutcomeSummary
    b: OutcomeSummary
    tasks: int
    """Tasks that are graded in both."""
    success_a: float
    success_b: float
    """On these tasks, each weighted equally by the mean of its attempts."""
    difference: Interval
    flips: dict[str, int]
    chance: float
    """The p-value of the flips: how likely they would be this one-sided if the runs were equally good."""
    pairs: list[TaskPair]


def pair_up(a: Sequence[Row], b: Sequence[Row]) -> RunComparison:
    """Compare the second run with the first."""
    of_a, of_b = _by_task(a), _by_task(b)
    pairs = [_pair(task, of_a.get(task, []), of_b.get(task, [])) for task in dict.fromkeys((*of_a, *of_b))]
    pairs.sort(key=lambda pair: (FLIPS.index(pair.flip), -abs((pair.b.share or 0) - (pair.a.share or 0)), pair.task_id))
    compared = compare("a", a, "b", b)
    return RunComparison(
        summary(a),
        summary(b),
        compared.tasks,
        compared.success_a,
        compared.success_b,
        compared.difference,
        {flip: sum(pair.flip == flip for pair in pairs) for flip in FLIPS},
        compared.p_value,
        pairs,
    )


def _by_task(rows: Sequence[Row]) -> dict[str, list[Row]]:
    tasks: dict[str, list[Row]] = {}
    for row in rows:
        tasks.setdefault(row.task_id, []).append(row)
    return tasks


def _pair(task: str, a: list[Row], b: list[Row]) -> TaskPair:
    share_a, share_b = _share(a), _share(b)
    first = (a or b)[0]
    flip = _flip(bool(a), bool(b), share_a, share_b)
    return TaskPair(
        task,
        first.instruction,
        first.site,
        first.level,
        flip,
        _side(a, share_a, flip != "gained"),
        _side(b, share_b, flip != "lost"),
    )


def _flip(in_a: bool, in_b: bool, a: float | None, b: float | None) -> str:
    if not in_b:
        return "only_a"
    if not in_a:
        return "only_b"
    if a is None or b is None:
        return "ungraded"
    if a == b:
        return "same"
    return "gained" if b > a else "lost"


def _share(rows: Sequence[Row]) -> float | None:
    rewards = [row.reward for row in rows if row.reward is not None]
    return sum(rewards) / len(rewards) if rewards else None


def _side(rows: list[Row], share: float | None, good: bool) -> Side:
    """Return one run's attempts; the shown one is typical of how the runs differ."""
    members = tuple(PairMember(row.attempt_id, kind_of(row), row.steps) for row in rows)
    typical = [row for row in rows if row.reward is not None and (row.reward >= 1) == good]
    chosen = (typical or rows)[:1]
    return Side(members, share, chosen[0].attempt_id if chosen else "")

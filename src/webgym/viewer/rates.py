"""What became of attempts, and how often they succeed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.trajectory import OUTCOME_KINDS
from webgym.store.rates import ends_of, success
from webgym.store.read import RunSummary
from webgym.store.rows import Row

UNFINISHED = "unfinished"
"""Stands where the outcome of an attempt will be."""


class Summary(Record, frozen=True, omit_defaults=False):
    """What became of some attempts."""

    attempts: int
    outcomes: dict[str, int]
    """Every kind that occurs, in the usual order, those without an outcome last."""
    success_over_all: Rate
    """Of every attempt that is over, whatever became of it."""
    success_over_graded: Rate
    """Of those that say something about the agent: blocked, infrastructure and the like left out."""
    blocked_rate: float


def kind_of(row: Row) -> str:
    """The outcome of an attempt, also if it has none yet."""
    return row.outcome or UNFINISHED


def summary(rows: Sequence[Row]) -> Summary:
    """Outcomes counted and success over them."""
    rates = success(ends_of(rows))
    counts = Counter(map(kind_of, rows))
    return Summary(len(rows), _in_order(counts), rates.over_all, rates.over_graded, rates.blocked_rate)


def summary_of_run(run: RunSummary) -> Summary:
    """The same of a run that is counted already."""
    counts = {**run.outcomes, UNFINISHED: run.attempts - sum(run.outcomes.values())}
    return Summary(run.attempts, _in_order(counts), run.success_over_all, run.success_over_graded, run.blocked_rate)


def _in_order(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in (*OUTCOME_KINDS, UNFINISHED) if counts.get(kind)}


class Part(Record, frozen=True, omit_defaults=False):
    """Attempts that have something in common."""

    name: str
    summary: Summary


def parts(rows: Sequence[Row], name: Callable[[Row], str]) -> list[Part]:
    """The attempts split by something, the largest part first."""
    members: dict[str, list[Row]] = {}
    for row in rows:
        members.setdefault(name(row), []).append(row)
    ordered = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Part(part, summary(found)) for part, found in ordered]

"""Outcome counts and success rates of attempts."""

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
"""Placeholder for the outcome of an unfinished attempt."""


class OutcomeSummary(Record, frozen=True, omit_defaults=False):
    """Outcome counts and success rates of some attempts."""

    attempts: int
    outcomes: dict[str, int]
    """Counts of the outcomes that occur, in the usual order; unfinished attempts last."""
    success_over_all: Rate
    """Success rate over all finished attempts, whatever their outcome."""
    success_over_graded: Rate
    """Success rate over graded attempts: without blocked ones, infrastructure failures and the like."""
    blocked_rate: float


def kind_of(row: Row) -> str:
    """Return the outcome of an attempt, or `UNFINISHED`."""
    return row.outcome or UNFINISHED


def summary(rows: Sequence[Row]) -> OutcomeSummary:
    """Summarise these attempts."""
    rates = success(ends_of(rows))
    counts = Counter(map(kind_of, rows))
    return OutcomeSummary(len(rows), _in_order(counts), rates.over_all, rates.over_graded, rates.blocked_rate)


def summary_of_run(run: RunSummary) -> OutcomeSummary:
    """Summarise a run from its stored counts."""
    counts = {**run.outcomes, UNFINISHED: run.attempts - sum(run.outcomes.values())}
    return OutcomeSummary(
        run.attempts, _in_order(counts), run.success_over_all, run.success_over_graded, run.blocked_rate
    )


def _in_order(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in (*OUTCOME_KINDS, UNFINISHED) if counts.get(kind)}


class AttemptSubset(Record, frozen=True, omit_defaults=False):
    """A named subset of attempts."""

    name: str
    summary: OutcomeSummary


def parts(rows: Sequence[Row], name: Callable[[Row], str]) -> list[AttemptSubset]:
    """Split attempts by name, largest part first."""
    members: dict[str, list[Row]] = {}
    for row in rows:
        members.setdefault(name(row), []).append(row)
    ordered = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    return [AttemptSubset(part, summary(found)) for part, found in ordered]

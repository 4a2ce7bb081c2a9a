"""Success with its uncertainty, over all attempts and over those that no website refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from webgym.records.base import Record
from webgym.records.trajectory import OUTCOME_KINDS
from webgym.store.rows import Row
from webgym.store.statistics import wilson

UNFINISHED = "unfinished"
"""Stands where the outcome of an attempt will be."""


class Rate(Record, frozen=True, omit_defaults=False):
    """A share with its 95 % Wilson interval; all None of nothing."""

    successes: int
    of: int
    share: float | None = None
    low: float | None = None
    high: float | None = None


def rate(successes: int, of: int) -> Rate:
    """How many of how many, and between which shares the truth lies."""
    if of <= 0:
        return Rate(0, 0)
    return Rate(successes, of, successes / of, *wilson(successes, of))


class Summary(Record, frozen=True, omit_defaults=False):
    """What became of some attempts."""

    attempts: int
    outcomes: dict[str, int]
    """Every kind that occurs, in the usual order, those without an outcome last."""
    over_all: Rate
    """Of all finished attempts."""
    over_unblocked: Rate
    """Of the finished attempts that no website refused."""


def kind_of(row: Row) -> str:
    """The outcome of an attempt, also if it has none yet."""
    return row.outcome or UNFINISHED


def summary(kinds: Iterable[str]) -> Summary:
    """Outcomes counted and success over them."""
    return summary_of(Counter(kinds))


def summary_of(counts: Mapping[str, int]) -> Summary:
    """The same of outcomes that are counted already."""
    counted = Counter(counts)
    outcomes = {kind: counted[kind] for kind in (*OUTCOME_KINDS, UNFINISHED) if counted[kind]}
    attempts = counted.total()
    finished = attempts - counted[UNFINISHED]
    successes = counted["success"]
    return Summary(attempts, outcomes, rate(successes, finished), rate(successes, finished - counted["blocked"]))


class Part(Record, frozen=True, omit_defaults=False):
    """Attempts that have something in common."""

    name: str
    summary: Summary


def parts(rows: Sequence[Row], name: Callable[[Row], str]) -> list[Part]:
    """The attempts split by something, the largest part first."""
    kinds: dict[str, list[str]] = {}
    for row in rows:
        kinds.setdefault(name(row), []).append(kind_of(row))
    ordered = sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Part(part, summary(members)) for part, members in ordered]

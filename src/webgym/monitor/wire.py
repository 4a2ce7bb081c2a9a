"""What the monitor tells those who watch: one update holds what changed since another."""

from __future__ import annotations

from webgym.monitor.states import STATES, STATUSES
from webgym.records.base import Record
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS

CELL_FIELDS = ("slot", "state", "step", "tries", "since", "began")
"""Integers that stand for a cell in `Update.cells`; times in tenths of a second from the start of the board."""


class Named(Record, frozen=True, array_like=True):
    """Who is in a cell from now on."""

    slot: int
    attempt: str
    task: str
    site: str
    level: str
    group: str


class OperationFigures(Record, frozen=True):
    """One operation; seconds are of the latest few hundred, None if there were none."""

    limit: int | None
    queued: int
    running: int
    done: int
    errors: int
    last_error: str
    queued_p50: float | None
    queued_p95: float | None
    p50: float | None
    p95: float | None


class Throughput(Record, frozen=True):
    """Things done, per minute."""

    total: int
    last_minute: float
    overall: float
    recent: tuple[int, ...]
    """How many in each of the latest `bucket` seconds, oldest first; the last one is not over yet."""
    bucket: float


class Totals(Record, frozen=True):
    """All attempts together, those without a cell included."""

    submitted: int
    counts: tuple[int, ...]
    """Attempts by state; those of ended states never shrink, so all of them sum up to `submitted`."""
    hidden: int
    """Open attempts without a cell: there are too many."""
    lost: int
    """Events that came faster than they were read, and are in nothing here."""
    operations: tuple[OperationFigures, ...]
    steps: Throughput
    attempts: Throughput


class Update(Record, frozen=True):
    """What changed after version `since`; since 0, all there is."""

    epoch: str
    """Of the board: versions of another one mean nothing."""
    version: int
    since: int
    elapsed: float
    over: bool
    named: tuple[Named, ...]
    cells: tuple[int, ...]
    totals: Totals


class About(Record, frozen=True, omit_defaults=False):
    """What stays the same for as long as the board is there."""

    run: str
    simulated: bool = False
    """Whether nothing of it is real."""
    operations: tuple[str, ...] = OPERATIONS
    outcomes: tuple[str, ...] = OUTCOME_KINDS
    states: tuple[tuple[str, str], ...] = STATES
    statuses: tuple[str, ...] = STATUSES


class HistoryLine(Record, frozen=True, omit_defaults=False):
    """One step of an attempt, as shown."""

    step: int
    action: str
    sentence: str = ""
    url: str = ""
    screenshot: str = ""


class Detail(Record, frozen=True):
    """One attempt, closer."""

    attempt: str
    task: str
    site: str
    level: str
    group: str
    instruction: str
    status: str
    operation: str
    step: int
    tries: int
    began: float | None
    """Seconds since the start of the board, as are the other times here; None if it has not."""
    since: float
    now: float
    detail: str
    last_error: str
    screenshot: str
    history: tuple[HistoryLine, ...]
    """Oldest first."""

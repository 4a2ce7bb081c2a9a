"""Messages of the monitor to its clients. An update contains the changes since an earlier one."""

from __future__ import annotations

from webgym.monitor.states import STATES, STATUSES
from webgym.records.base import Record
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS

CELL_FIELDS = ("slot", "state", "step", "tries", "since", "began")
"""The integers of each cell in `Update.cells`. Times are in tenths of a second since the start of the board."""


class CellName(Record, frozen=True, array_like=True):
    """The attempt that now occupies a slot."""

    slot: int
    attempt: str
    task: str
    site: str
    level: str
    group: str


class OperationFigures(Record, frozen=True):
    """Figures of one operation. Percentiles are in seconds, over the latest few hundred; None without any."""

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
    """A count and its rates per minute."""

    total: int
    last_minute: float
    overall: float
    recent: tuple[int, ...]
    """Counts in the latest intervals of `bucket` seconds, oldest first; the last one is incomplete."""
    bucket: float


class BoardTotals(Record, frozen=True):
    """Totals over all attempts, including those without a cell."""

    submitted: int
    counts: tuple[int, ...]
    """Attempts by state; the sum is `submitted`, as counts of ended states never shrink."""
    hidden: int
    """Open attempts without a cell, because there are too many."""
    lost: int
    """Events dropped because they came faster than they were read; not included in any count."""
    operations: tuple[OperationFigures, ...]
    steps: Throughput
    attempts: Throughput


class Update(Record, frozen=True):
    """The changes after version `since`; the full state if it is 0."""

    epoch: str
    """Identifies the board; versions of different boards are not comparable."""
    version: int
    since: int
    elapsed: float
    over: bool
    named: tuple[CellName, ...]
    cells: tuple[int, ...]
    totals: BoardTotals


class BoardFacts(Record, frozen=True, omit_defaults=False):
    """Constant information about a board."""

    run: str
    simulated: bool = False
    """Whether the run is simulated."""
    operations: tuple[str, ...] = OPERATIONS
    outcomes: tuple[str, ...] = OUTCOME_KINDS
    states: tuple[tuple[str, str], ...] = STATES
    statuses: tuple[str, ...] = STATUSES


class HistoryLine(Record, frozen=True, omit_defaults=False):
    """One step in the history of an attempt."""

    step: int
    action: str
    sentence: str = ""
    url: str = ""
    screenshot: str = ""


class Detail(Record, frozen=True):
    """Details of one attempt."""

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
    """Seconds since the start of the board, like the other times; None if it has not begun."""
    since: float
    now: float
    detail: str
    last_error: str
    screenshot: str
    history: tuple[HistoryLine, ...]
    """Oldest first."""

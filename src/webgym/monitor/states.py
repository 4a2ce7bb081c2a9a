"""The states of an attempt, numbered. The colour of a cell depends only on its state."""

from __future__ import annotations

from typing import Literal

from webgym.records.event import OPERATIONS, Operation
from webgym.records.trajectory import OUTCOME_KINDS, OutcomeKind

Status = Literal[
    "waiting",
    "queued",
    "running",
    "success",
    "failure",
    "truncated",
    "blocked",
    "infrastructure",
    "judge_unknown",
    "cancelled",
]

WAITING = 0
"""Submitted, not started."""
BETWEEN = 1
"""Started, and neither running an operation nor queued for one."""
_FIRST_QUEUED = 2
_FIRST_RUNNING = _FIRST_QUEUED + len(OPERATIONS)
FIRST_ENDED = _FIRST_RUNNING + len(OPERATIONS)

_OPERATION_NUMBER = {operation: number for number, operation in enumerate(OPERATIONS)}
_OUTCOME_NUMBER = {outcome: number for number, outcome in enumerate(OUTCOME_KINDS)}


def queued(operation: Operation) -> int:
    """Return the state of being queued for an operation."""
    return _FIRST_QUEUED + _OPERATION_NUMBER[operation]


def running(operation: Operation) -> int:
    """Return the state of running an operation."""
    return _FIRST_RUNNING + _OPERATION_NUMBER[operation]


def ended(outcome: OutcomeKind) -> int:
    """Return the state of having ended with an outcome."""
    return FIRST_ENDED + _OUTCOME_NUMBER[outcome]


def _named() -> tuple[tuple[Status, str], ...]:
    names: list[tuple[Status, str]] = [("waiting", ""), ("running", "")]
    names.extend(("queued", operation) for operation in OPERATIONS)
    names.extend(("running", operation) for operation in OPERATIONS)
    names.extend((outcome, "") for outcome in OUTCOME_KINDS)
    return tuple(names)


STATES: tuple[tuple[Status, str], ...] = _named()
"""Status and operation of every state, by number."""
STATUSES: tuple[Status, ...] = ("waiting", "queued", "running", *OUTCOME_KINDS)


def is_open(state: int) -> bool:
    """Return whether an attempt in this state has not ended."""
    return state < FIRST_ENDED


def by_status(counts: tuple[int, ...]) -> dict[Status, int]:
    """Sum counts by state to counts by status, in display order."""
    totals: dict[Status, int] = dict.fromkeys(STATUSES, 0)
    for (status, _), count in zip(STATES, counts, strict=True):
        totals[status] += count
    return totals

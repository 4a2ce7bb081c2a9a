"""A board whose time the test decides."""

from __future__ import annotations

from webgym.monitor import states
from webgym.monitor.board import Board
from webgym.monitor.states import Status
from webgym.records import event as events


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def board_and_clock(**options) -> tuple[Board, Clock]:
    clock = Clock()
    return Board(clock=clock, **options), clock


def submit(board: Board, *attempts: str) -> None:
    for attempt in attempts:
        board.apply(events.AttemptSubmitted(attempt, f"task of {attempt}", "shop-1", "easy"))


def end(board: Board, *attempts: str, outcome="success") -> None:
    for attempt in attempts:
        board.apply(events.AttemptEnded(attempt, outcome, steps=1, seconds=1.0))


def decide(board: Board, attempt: str, step: int, **fields) -> None:
    board.apply(events.StepDecided(attempt, step, "click", **fields))


def state_of(board: Board, attempt: str) -> tuple[str, str]:
    detail = board.detail(attempt)
    assert detail is not None
    return detail.status, detail.operation


def counted(board: Board) -> dict[Status, int]:
    """Statuses that at least one attempt has."""
    return {status: count for status, count in states.by_status(board.totals().counts).items() if count}

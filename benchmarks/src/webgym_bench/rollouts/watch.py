"""Records the timing of every operation and attempt, from the events that any run emits."""

from __future__ import annotations

import anyio

from webgym.records.base import Variant
from webgym.records.event import (
    AttemptBegan,
    AttemptEnded,
    Event,
    LimitChanged,
    Operation,
    OperationEnded,
    OperationStarted,
)


class OperationRecord(Variant, frozen=True, tag="operation"):
    """One operation of one attempt, in seconds since the run began."""

    system: str
    attempt: str
    operation: Operation
    step: int
    started: float
    """When it passed the gate."""
    seconds: float
    queued: float = 0.0
    """Seconds spent queueing at the gate."""
    error: str = ""


class AttemptRecord(Variant, frozen=True, tag="attempt"):
    """One attempt, from taking a slot to releasing it."""

    system: str
    attempt: str
    started: float
    seconds: float
    steps: int
    outcome: str


class LimitRecord(Variant, frozen=True, tag="limit"):
    """A change of a gate's limit."""

    system: str
    operation: Operation
    at: float
    limit: int
    why: str


class Watch:
    """Collects the events of a run as records."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._zero = anyio.current_time()
        self._queued: dict[str, float] = {}
        self._began: dict[str, float] = {}
        self.operations: list[OperationRecord] = []
        self.attempts: list[AttemptRecord] = []
        self.limits: list[LimitRecord] = []

    @property
    def now(self) -> float:
        """Seconds since the run began."""
        return anyio.current_time() - self._zero

    def emit(self, event: Event) -> None:
        """Record an operation, attempt or limit change."""
        match event:
            case AttemptBegan(attempt=attempt):
                self._began.setdefault(attempt, self.now)
            case OperationStarted(attempt=attempt, queued=queued):
                self._queued[attempt] = queued
            case OperationEnded():
                self.operations.append(self._operation(event))
            case AttemptEnded():
                self.attempts.append(self._attempt(event))
            case LimitChanged(operation=operation, limit=limit, why=why) if why != "configured":
                self.limits.append(LimitRecord(self._system, operation, round(self.now, 4), limit, why))
            case _:
                pass

    def _operation(self, event: OperationEnded) -> OperationRecord:
        return OperationRecord(
            self._system,
            event.attempt,
            event.operation,
            event.step,
            started=round(self.now - event.seconds, 4),
            seconds=round(event.seconds, 4),
            queued=round(self._queued.pop(event.attempt, 0.0), 4),
            error=event.error,
        )

    def _attempt(self, event: AttemptEnded) -> AttemptRecord:
        began = self._began.pop(event.attempt, self.now)
        return AttemptRecord(
            self._system,
            event.attempt,
            started=round(began, 4),
            seconds=round(self.now - began, 4),
            steps=event.steps,
            outcome=event.outcome,
        )

"""One gate for each kind of operation, with events for monitoring."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

import anyio
from pydantic import BaseModel, ConfigDict, Field

from webgym.errors import DeadlineError, WebGymError
from webgym.records.base import Record
from webgym.records.event import (
    OPERATIONS,
    LimitChanged,
    Operation,
    OperationEnded,
    OperationQueued,
    OperationStarted,
)
from webgym.rollout.gate import Gate
from webgym.stages import Events

Range = tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]


class GateLimits(BaseModel):
    """Concurrency limits of each operation: initial and maximum. They adapt to latency; equal numbers fix a limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    open: Range = (16, 256)
    navigate: Range = (64, 512)
    act: Range = (128, 1024)
    observe: Range = (64, 512)
    infer: Range = (256, 2048)
    judge: Range = (32, 256)
    close: Range = (64, 512)


class Deadlines(Record, frozen=True):
    """Timeouts per operation in seconds, queueing excluded: a last resort behind each stage's own timeouts."""

    open: float = 120.0
    navigate: float = 120.0
    act: float = 120.0
    observe: float = 120.0
    infer: float = 900.0
    judge: float = 900.0
    close: float = 30.0


@dataclass(slots=True)
class Passage:
    """Times of one pass through a gate, in seconds."""

    queued: float = 0.0
    seconds: float = 0.0


class Gates:
    """The gates shared by all attempts of a pool."""

    def __init__(self, events: Events, limits: GateLimits = GateLimits(), deadlines: Deadlines = Deadlines()) -> None:
        self._events = events
        self._deadlines = deadlines
        self._gates: dict[Operation, Gate] = {
            operation: Gate(start, least=start if start == most else 1, most=most, changed=_teller(events, operation))
            for operation in OPERATIONS
            for start, most in [getattr(limits, operation)]
        }
        for operation, gate in self._gates.items():
            events.emit(LimitChanged(operation, gate.limit, "configured"))

    @asynccontextmanager
    async def through(self, operation: Operation, attempt: str, step: int) -> AsyncGenerator[Passage]:
        """Wait at the operation's gate, then run the block under the operation's deadline.

        Raises:
            DeadlineError: The block exceeded the deadline.
        """
        gate = self._gates[operation]
        self._events.emit(OperationQueued(attempt, operation, step))
        passage = Passage(queued=await gate.enter())
        began = anyio.current_time()
        self._events.emit(OperationStarted(attempt, operation, step, passage.queued))
        allowed = getattr(self._deadlines, operation)
        trouble = "cancelled"
        try:
            with anyio.fail_after(allowed):
                yield passage
            trouble = ""
        except TimeoutError as error:
            trouble = DeadlineError.code
            raise DeadlineError(f"{operation} took longer than {allowed:.0f} s") from error
        except WebGymError as error:
            trouble = error.code
            raise
        except Exception:
            trouble = "internal"
            raise
        finally:
            passage.seconds = anyio.current_time() - began
            gate.leave(None if trouble else passage.seconds)
            self._events.emit(OperationEnded(attempt, operation, step, passage.seconds, trouble))


def _teller(events: Events, operation: Operation):  # noqa: ANN202 (a closure)
    def tell(limit: int, why: str) -> None:
        events.emit(LimitChanged(operation, limit, why))

    return tell

"""A watchdog: reports what is stuck, and eventually stops the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio

from webgym.errors import TrainingError
from webgym.records.event import AttemptEnded, Event, OperationEnded, OperationStarted, StepDecided

_LOOK_SECONDS = 1.0
_ROLLOUTS = "rollouts"


@dataclass(slots=True)
class _Doing:
    since: float
    detail: Callable[[], str]
    active: Callable[[], bool]
    told: bool = False


@dataclass(slots=True)
class Watch:
    """Tracks operations in progress and checks them every second.

    It cancels no operation, as every stage has its own deadlines; it reports which one is being waited for.
    """

    say: Callable[[str], None]
    stuck_seconds: float
    """Seconds without progress after which an operation is reported as stuck."""
    give_up_seconds: float
    """Seconds without progress after which the run is stopped; it can be resumed."""
    clock: Callable[[], float] = time.monotonic
    _doing: dict[str, _Doing] = field(default_factory=dict[str, _Doing])
    _operations: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """By attempt: its current operation, and when that started."""

    @contextmanager
    def during(
        self, what: str, detail: Callable[[], str] = str, active: Callable[[], bool] = lambda: True
    ) -> Generator[None]:
        """Watch an operation, which should end or make progress while it is `active`."""
        self._doing[what] = _Doing(self.clock(), detail, active)
        try:
            yield
        finally:
            del self._doing[what]

    @contextmanager
    def rollouts(self, detail: Callable[[], str] = str, active: Callable[[], bool] = lambda: True) -> Generator[None]:
        """Watch rollouts, which make progress whenever a step is decided or an attempt ends."""

        def told() -> str:
            return "; ".join(part for part in (self._longest(), detail()) if part)

        with self.during(_ROLLOUTS, told, active):
            yield

    def happened(self, event: Event) -> None:
        """Update the watch from an event."""
        match event:
            case OperationStarted(attempt=attempt, operation=operation):
                self._operations[attempt] = (operation, self.clock())
            case OperationEnded(attempt=attempt):
                self._operations.pop(attempt, None)
            case StepDecided() | AttemptEnded():
                self.moved(_ROLLOUTS)
            case _:
                pass

    def stuck(self) -> list[str]:
        """Return a line for each operation that is newly stuck.

        Raises:
            TrainingError: An operation has made no progress for `give_up_seconds`.
        """
        lines: list[str] = []
        for what, doing in self._doing.items():
            if not doing.active():
                self.moved(what)
            seconds = self.clock() - doing.since
            if seconds < self.stuck_seconds:
                continue
            line = f"{what}: no progress for {seconds:.0f} s"
            detail = doing.detail()
            line = f"{line}; {detail}" if detail else line
            if seconds >= self.give_up_seconds:
                raise TrainingError(f"training is stuck and stops here; it can be resumed: {line}")
            if not doing.told:
                doing.told = True
                lines.append(f"stuck? {line}")
        return lines

    async def run(self) -> None:
        """Check every second, until cancelled."""
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            for line in self.stuck():
                self.say(line)

    def moved(self, what: str) -> None:
        """Record progress of an operation."""
        doing = self._doing.get(what)
        if doing is not None:
            doing.since, doing.told = self.clock(), False

    def _longest(self) -> str:
        if not self._operations:
            return "no attempt is active"
        attempt, (operation, since) = min(self._operations.items(), key=lambda one: one[1][1])
        seconds = self.clock() - since
        return f"{len(self._operations)} attempts waiting, the longest in {operation} of {attempt} for {seconds:.0f} s"

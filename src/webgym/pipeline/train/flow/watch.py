"""Who does what since when: says what is stuck, and gives up in the end."""

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
    """Told of what begins and ends; looked at by itself every second.

    Nothing here ends a wait: every stage has its own deadlines. This says which of them is being waited for.
    """

    say: Callable[[str], None]
    stuck_seconds: float
    """After so long without progress something is said to be stuck."""
    give_up_seconds: float
    """After so long the run ends, to be resumed."""
    clock: Callable[[], float] = time.monotonic
    _doing: dict[str, _Doing] = field(default_factory=dict[str, _Doing])
    _operations: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """By attempt: what it is in the middle of, and since when."""

    @contextmanager
    def during(
        self, what: str, detail: Callable[[], str] = str, active: Callable[[], bool] = lambda: True
    ) -> Generator[None]:
        """Something that should be over, or get on, before long, unless it is not `active`."""
        self._doing[what] = _Doing(self.clock(), detail, active)
        try:
            yield
        finally:
            del self._doing[what]

    @contextmanager
    def rollouts(self, detail: Callable[[], str] = str, active: Callable[[], bool] = lambda: True) -> Generator[None]:
        """Attempts, which never end but should get on: they do whenever a step is decided or one of them ends."""

        def told() -> str:
            return "; ".join(part for part in (self._longest(), detail()) if part)

        with self.during(_ROLLOUTS, told, active):
            yield

    def happened(self, event: Event) -> None:
        """Takes note of what attempts do."""
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
        """What is stuck and was not told before.

        Raises:
            TrainingError: One of them is for so long that there is no hope.
        """
        lines: list[str] = []
        for what, doing in self._doing.items():
            if not doing.active():
                self.moved(what)
            seconds = self.clock() - doing.since
            if seconds < self.stuck_seconds:
                continue
            line = f"{what}: nothing for {seconds:.0f} s"
            detail = doing.detail()
            line = f"{line}; {detail}" if detail else line
            if seconds >= self.give_up_seconds:
                raise TrainingError(f"stuck, so the run ends here and can be resumed: {line}")
            if not doing.told:
                doing.told = True
                lines.append(f"stuck? {line}")
        return lines

    async def run(self) -> None:
        """Look, for ever."""
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            for line in self.stuck():
                self.say(line)

    def moved(self, what: str) -> None:
        """It got on."""
        doing = self._doing.get(what)
        if doing is not None:
            doing.since, doing.told = self.clock(), False

    def _longest(self) -> str:
        if not self._operations:
            return "no attempt does anything"
        attempt, (operation, since) = min(self._operations.items(), key=lambda one: one[1][1])
        seconds = self.clock() - since
        return f"{len(self._operations)} attempts wait, the longest in {operation} of {attempt} for {seconds:.0f} s"

"""How long a training run is: fixed in advance, or decided while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


class RunLength(Protocol):
    """Decides the size of evaluations and iterations during a run, and when it ends."""

    @property
    def planned(self) -> int | None:
        """Number of iterations; None if that is decided on the way."""
        ...

    def more_tests(self, made: int, there: int) -> int:
        """Return how many more tasks the first evaluation attempts, after `made` of `there`; 0 ends it.

        Later evaluations attempt the same tasks.
        """
        ...

    def groups(self, planned: int, members: int) -> int:
        """Return how many of the planned groups, with `members` attempts each, the next iteration collects."""
        ...

    def done(self, iteration: int) -> float:
        """Return the share of the run that is over before the update of this iteration."""
        ...

    def is_last(self, iteration: int) -> bool:
        """Return whether this iteration is the last; called after its update and before its evaluation."""
        ...


@dataclass(frozen=True, slots=True)
class PlannedLength:
    """The configured length: all tasks, groups and iterations."""

    iterations: int

    @property
    def planned(self) -> int:
        return self.iterations

    def more_tests(self, made: int, there: int) -> int:
        return there - made

    def groups(self, planned: int, members: int) -> int:
        del members
        return planned

    def done(self, iteration: int) -> float:
        return (iteration - 1) / self.iterations

    def is_last(self, iteration: int) -> bool:
        return iteration >= self.iterations


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """All tasks and groups, until so many seconds of training are over or all iterations made."""

    inner: PlannedLength
    seconds: float
    spent: float = 0.0
    """Seconds of training before a resume."""
    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "began", self.clock())

    @property
    def planned(self) -> None:
        return None

    def more_tests(self, made: int, there: int) -> int:
        return self.inner.more_tests(made, there)

    def groups(self, planned: int, members: int) -> int:
        return self.inner.groups(planned, members)

    def done(self, iteration: int) -> float:
        return max(self.inner.done(iteration), min(1.0, self._over))

    def is_last(self, iteration: int) -> bool:
        return self.inner.is_last(iteration) or self._over >= 1

    @property
    def _over(self) -> float:
        return (self.spent + self.clock() - self.began) / self.seconds


def run_length(iterations: int, minutes: float, spent: float = 0.0) -> RunLength:
    """Return the configured length of a run that trained for `spent` seconds before a resume."""
    planned = PlannedLength(iterations)
    return TimeLimit(planned, minutes * 60, spent) if minutes else planned

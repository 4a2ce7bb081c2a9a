"""How long a training run is: fixed in advance, or decided while it runs."""

from __future__ import annotations

from dataclasses import dataclass
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

    def is_last(self, iteration: int) -> bool:
        """Return whether this iteration is the last; called after its update and before its evaluation."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
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

    def is_last(self, iteration: int) -> bool:
        return iteration >= self.iterations

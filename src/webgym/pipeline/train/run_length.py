"""How long a training run goes on: as planned, or as someone decides while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class RunLength(Protocol):
    """Asked while a run is under way."""

    def more_tests(self, made: int, there: int) -> int:
        """How many tasks of those there are the first evaluation takes on next; 0: it has enough.

        Later evaluations attempt the same ones.
        """
        ...

    def groups(self, planned: int, members: int) -> int:
        """How many groups of so many attempts the next iteration collects, of those planned."""
        ...

    def is_last(self, iteration: int) -> bool:
        """Whether no other follows this iteration; asked once its update is made and before it is evaluated."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """All tasks, and as many iterations as configured."""

    iterations: int

    def more_tests(self, made: int, there: int) -> int:
        """All at once."""
        return there - made

    def groups(self, planned: int, members: int) -> int:
        """As configured."""
        del members
        return planned

    def is_last(self, iteration: int) -> bool:
        """As configured."""
        return iteration >= self.iterations

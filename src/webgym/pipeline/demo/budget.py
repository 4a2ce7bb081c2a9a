"""A demo that ends in time: how many tasks are evaluated and how much it learns follow the speed of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PROBE = 8
"""Tasks of the first evaluation that tell how fast this machine is."""
EVALUATION_SHARE = 0.2
"""Of the time that is left when the first evaluation begins: it takes so much, and the last one as much again."""
CLOSING_SECONDS = 8.0
"""To end processes and write the report."""
MARGIN = 1.1
"""The last evaluation may take so many times as long as the first: agents that learned may take more steps."""
FIRST_SHARE = 0.4
"""Of the time to learn in that the first iteration may take, when nobody knows how long learning takes."""
UPDATE_GUESS = 2.0
"""How many times as long as an attempt it takes to make it and learn from it: a guess, until it is known."""
LEAST_SHARE = 0.5
"""Of an iteration as it is planned: smaller ones are not worth beginning."""


class Budget:
    """The `RunLength` of a run that is to take so many seconds from now on."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._tests_began = 0.0
        self._tests_seconds = 0.0
        self._tests = 0
        self._wanted = 0
        self._mark = 0.0
        self._each = 0.0
        """Seconds of a group, learned from, in the slowest iteration so far."""
        self._chosen = 1
        self._planned = 1

    @property
    def left(self) -> float:
        """Seconds until it is to be over; below 0 if it takes longer."""
        return self._end - self._clock()

    def more_tests(self, made: int, there: int) -> int:
        """A few first, then as many as their speed leaves time for; that choice knows nothing of what came of them."""
        now = self._clock()
        if not made:
            self._tests_began = now
            return min(PROBE, there)
        spent = now - self._tests_began
        if not self._wanted:
            room = EVALUATION_SHARE * (self._end - CLOSING_SECONDS - self._tests_began)
            self._wanted = min(there, int(made * room / max(spent, 1e-9)))
        if made < self._wanted:
            return self._wanted - made
        self._tests, self._tests_seconds, self._mark = made, spent, now
        return 0

    def groups(self, planned: int, members: int) -> int:
        """As planned, or fewer if they would take too long."""
        self._planned = planned
        if self._each:
            fit = self._room / self._each
        else:
            guess = members * UPDATE_GUESS * self._tests_seconds / max(self._tests, 1)
            fit = FIRST_SHARE * self._room / max(guess, 1e-9)
        self._chosen = max(1, min(planned, int(fit)))
        return self._chosen

    def is_last(self, iteration: int) -> bool:
        """Whether there is no time for another one worth beginning, and the last evaluation."""
        del iteration
        now = self._clock()
        self._each = max(self._each, (now - self._mark) / self._chosen)
        self._mark = now
        return self._room < self._each * max(1.0, LEAST_SHARE * self._planned)

    @property
    def _room(self) -> float:
        """Seconds to learn in, from now on."""
        return self.left - MARGIN * self._tests_seconds - CLOSING_SECONDS

"""Fit the demo into a time budget: the number of evaluation tasks and updates follows the speed of the machine."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from webgym.records.curve import ENOUGH_FOR_A_RATE

PROBE = 8
"""Tasks of the first evaluation that measure the speed of the machine."""
EVALUATION_SHARE = 0.2
"""Share of the remaining time that the first evaluation takes; the last one takes as much again."""
MOST_SHARE = 0.35
"""The same, if a smaller share has too few tasks for a rate."""
SPARE = 4
"""Tasks beyond those that a rate takes: some may get no verdict."""
CLOSING_SECONDS = 8.0
"""Time to stop processes and write the report."""
MARGIN = 1.1
"""Allowance for the last evaluation, relative to the first: a trained agent may take more steps."""
FIRST_SHARE = 0.4
"""Share of the training time for the first iteration, as the duration of an update is not known yet."""
UPDATE_GUESS = 2.0
"""Initial guess of the cost of an attempt in training, update included, relative to one in evaluation."""
LEAST_SHARE = 0.5
"""Smallest iteration worth starting, as a share of the planned size."""


class Budget:
    """A `RunLength` that fits the run into a number of seconds from now on."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._end = self._began + seconds
        self._tests_began = 0.0
        self._tests_seconds = 0.0
        self._tests = 0
        self._wanted = 0
        self._enough_after = 0.0
        self._mark = 0.0
        self._each = 0.0
        """Seconds per group, update included, in the slowest iteration so far."""
        self._chosen = 1
        self._planned = 1

    @property
    def planned(self) -> None:
        return None

    @property
    def left(self) -> float:
        """Seconds left; negative if over budget."""
        return self._end - self._clock()

    def more_tests(self, made: int, there: int) -> int:
        """Probe a few tasks, then take as many as fit at that speed; the choice does not depend on their outcomes.

        The probe is slower than what follows: browsers are new, and few tasks keep few of them busy. So if there seems
        to be no time for enough tasks, the speed is looked at again.
        """
        now = self._clock()
        if not made:
            self._tests_began = now
            return min(PROBE, there)
        spent = now - self._tests_began
        if not self._wanted or (made >= self._wanted and self._enough_after):
            self._wanted = self._fitting(max(spent, 1e-9) / made, there)
        if made < self._wanted:
            return self._wanted - made
        self._tests, self._tests_seconds, self._mark = made, spent, now
        return 0

    def _fitting(self, each: float, there: int) -> int:
        """Return how many of the tasks fit at so many seconds each: if possible, enough for a rate."""
        room = self._end - CLOSING_SECONDS - self._tests_began
        fitting = int(EVALUATION_SHARE * room / each)
        enough = ENOUGH_FOR_A_RATE + SPARE
        self._enough_after = 0.0
        if fitting < enough <= there:
            needed = enough * each / MOST_SHARE
            if needed <= room:
                return enough
            self._enough_after = needed + CLOSING_SECONDS + self._tests_began - self._began
        return min(there, fitting)

    @property
    def minutes_for_a_rate(self) -> int:
        """Minutes in which this machine would have time for enough tasks; 0 if it has, or if the suite has too few."""
        return math.ceil(self._enough_after / 60)

    def groups(self, planned: int, members: int) -> int:
        """Return the planned number of groups, or fewer if they would not fit."""
        self._planned = planned
        if self._each:
            fit = self._room / self._each
        else:
            guess = members * UPDATE_GUESS * self._tests_seconds / max(self._tests, 1)
            fit = FIRST_SHARE * self._room / max(guess, 1e-9)
        self._chosen = max(1, min(planned, int(fit)))
        return self._chosen

    def done(self, iteration: int) -> float:
        """Return the share of the seconds that is over."""
        del iteration
        return min(1.0, (self._clock() - self._began) / (self._end - self._began))

    def is_last(self, iteration: int) -> bool:
        """Return whether no time is left for another iteration of useful size plus the last evaluation."""
        del iteration
        now = self._clock()
        self._each = max(self._each, (now - self._mark) / self._chosen)
        self._mark = now
        return self._room < self._each * max(1.0, LEAST_SHARE * self._planned)

    @property
    def _room(self) -> float:
        """Seconds left for training."""
        return self.left - MARGIN * self._tests_seconds - CLOSING_SECONDS

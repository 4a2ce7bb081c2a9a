"""Limits of an attempt."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.task import Level


class Limits(Record, frozen=True):
    """What an agent may use up. Reaching a limit ends the attempt as `truncated`, except for `wall_seconds`."""

    easy: int = 10
    medium: int = 20
    hard: int = 30
    """Maximum steps, by the task's level."""
    tokens: int = 0
    """Maximum sampled tokens, summed over all steps; 0 is unlimited."""
    seconds: float = 0.0
    """Maximum time for deciding and acting, queues excluded; 0 is unlimited."""
    malformed: int = 5
    """Maximum consecutive malformed replies; 0 is unlimited."""
    repeats: int = 0
    """Maximum consecutive repeats of the same action on the same page; 0 only reports them."""
    wall_seconds: float = 3600.0
    """Maximum wall time, queues included; beyond it the attempt ends as `infrastructure`."""

    def steps(self, level: Level) -> int:
        """Return the maximum number of steps for a task of this level."""
        match level:
            case "easy":
                return self.easy
            case "medium":
                return self.medium
            case "hard":
                return self.hard


TRAIN = Limits()
TEST = Limits(easy=30, medium=50, hard=70)

"""Training budget: steps, seconds, or whichever comes first."""

from __future__ import annotations

import math

from webgym.errors import ConfigError
from webgym.records.base import Record


class Budget(Record, frozen=True):
    """Limits of a run. Without `steps` time alone decides, and no two runs end with the same weights."""

    seconds: float = math.inf
    steps: int | None = None

    def progress(self, step: int, seconds: float) -> float:
        """Return the share of the budget that is spent, from 0 to 1."""
        by_steps = step / self.steps if self.steps else 0.0
        return min(1.0, max(by_steps, seconds / self.seconds))

    def check(self) -> None:
        """Refuse a budget that never ends, or is empty.

        Raises:
            ConfigError: Nothing limits it, or there is nothing to spend.
        """
        if self.steps is None and not math.isfinite(self.seconds):
            raise ConfigError("set how long to train: minutes, steps or both")
        if self.seconds <= 0 or (self.steps is not None and self.steps < 1):
            raise ConfigError("the training time and the number of steps must be above 0")

"""Waiting times that are random in shape and the same in every run."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Delay:
    """Lognormal with this mean, in seconds; `sigma` is how heavy its tail is, 0 for a constant."""

    mean: float = 0.0
    sigma: float = 0.0

    def seconds(self, *key: object) -> float:
        """Drawn from the key alone, so that two systems under the same seed wait for the same time."""
        if self.mean <= 0:
            return 0.0
        draw = random.Random(repr(key)).gauss(0.0, 1.0)  # noqa: S311  nothing secret
        return self.mean * math.exp(self.sigma * draw - self.sigma**2 / 2)


NO_DELAY = Delay()


def between(low: float, high: float, *key: object) -> float:
    """Uniform, drawn from the key alone."""
    return random.Random(repr(key)).uniform(low, high)  # noqa: S311  nothing secret

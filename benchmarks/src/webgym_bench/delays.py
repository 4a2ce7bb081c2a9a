"""Random delays that are reproducible across runs."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Delay:
    """A lognormal delay with this mean in seconds. `sigma` sets how heavy the tail is; 0 makes the delay constant."""

    mean: float = 0.0
    sigma: float = 0.0

    def seconds(self, *key: object) -> float:
        """Return the delay for this key alone, so that all systems under one seed wait equally long."""
        if self.mean <= 0:
            return 0.0
        draw = random.Random(repr(key)).gauss(0.0, 1.0)  # noqa: S311  nothing secret
        return self.mean * math.exp(self.sigma * draw - self.sigma**2 / 2)


NO_DELAY = Delay()


def between(low: float, high: float, *key: object) -> float:
    """Return a uniform draw that depends on the key alone."""
    return random.Random(repr(key)).uniform(low, high)  # noqa: S311  nothing secret

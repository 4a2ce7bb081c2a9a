"""How long something takes: a curve with a tail, or what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

from webgym.errors import ConfigError
from webgym.records.base import Variant

_QUANTILES = 100
_NORMAL = NormalDist()
_STEPS = 400
"""Points at which a mean is taken: exact to a thousandth for the tails that occur."""


class Lognormal(Variant, frozen=True):
    """Seconds with this median; `sigma` is how heavy the tail is, 0 for a constant."""

    median: float
    sigma: float = 0.0
    most: float = math.inf
    """A time limit: nothing takes longer."""

    def __post_init__(self) -> None:
        if self.median < 0 or self.sigma < 0 or self.most <= 0:
            raise ConfigError("a latency has a median and a sigma of 0 or more, and a limit above 0")


class Measured(Variant, frozen=True):
    """Seconds as they were: equally likely quantiles, from the least to the most."""

    quantiles: tuple[float, ...]


Latency = Lognormal | Measured
Seconds = Callable[[float], float]
"""From a standard normal number to seconds; more is longer."""


def seconds_of(latency: Latency) -> Seconds:
    """The same number gives the same seconds, so that two farms can be compared on the same luck."""
    match latency:
        case Lognormal(median=median, sigma=sigma, most=most):
            return lambda z: min(most, median * math.exp(sigma * z))
        case Measured(quantiles=quantiles):
            last = len(quantiles) - 1
            return lambda z: quantiles[min(last, int(_NORMAL.cdf(z) * (last + 1)))]


def mean_of(latency: Latency) -> float:
    """Of the seconds it gives."""
    match latency:
        case Lognormal():
            draw = seconds_of(latency)
            return sum(draw(_NORMAL.inv_cdf((i + 0.5) / _STEPS)) for i in range(_STEPS)) / _STEPS
        case Measured(quantiles=quantiles):
            return sum(quantiles) / len(quantiles)


def measured(values: Sequence[float]) -> Measured:
    """Quantiles of what was measured, few enough to be kept in a file.

    Raises:
        ConfigError: Nothing was.
    """
    if not values:
        raise ConfigError("nothing was measured")
    ordered = sorted(values)
    count = min(_QUANTILES, len(ordered))
    return Measured(tuple(ordered[int((i + 0.5) * len(ordered) / count)] for i in range(count)))

"""Latency distributions: lognormal, or measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

from webgym.errors import ConfigError
from webgym.records.base import Variant

_QUANTILES = 100
_NORMAL = NormalDist()
_STEPS = 400
"""Sample points for a mean: exact to 0.1 % for realistic tails."""


class Lognormal(Variant, frozen=True):
    """Seconds with this median; `sigma` is the weight of the tail, 0 for a constant."""

    median: float
    sigma: float = 0.0
    most: float = math.inf
    """A timeout: nothing takes longer."""

    def __post_init__(self) -> None:
        if self.median < 0 or self.sigma < 0 or self.most <= 0:
            raise ConfigError("a latency's median and sigma must be 0 or more, and its limit above 0")


class Measured(Variant, frozen=True):
    """An empirical distribution: equally likely quantiles in ascending order."""

    quantiles: tuple[float, ...]


Latency = Lognormal | Measured
Seconds = Callable[[float], float]
"""Maps a standard normal number to seconds, monotonically."""


def seconds_of(latency: Latency) -> Seconds:
    """Return the sampler; equal inputs give equal seconds, so that farms are compared on common random numbers."""
    match latency:
        case Lognormal(median=median, sigma=sigma, most=most):
            return lambda z: min(most, median * math.exp(sigma * z))
        case Measured(quantiles=quantiles):
            last = len(quantiles) - 1
            return lambda z: quantiles[min(last, int(_NORMAL.cdf(z) * (last + 1)))]


def mean_of(latency: Latency) -> float:
    """Return the mean in seconds."""
    match latency:
        case Lognormal():
            draw = seconds_of(latency)
            return sum(draw(_NORMAL.inv_cdf((i + 0.5) / _STEPS)) for i in range(_STEPS)) / _STEPS
        case Measured(quantiles=quantiles):
            return sum(quantiles) / len(quantiles)


def measured(values: Sequence[float]) -> Measured:
    """Reduce measured values to quantiles, few enough to store in a file.

    Raises:
        ConfigError: There are no values.
    """
    if not values:
        raise ConfigError("nothing was measured")
    ordered = sorted(values)
    count = min(_QUANTILES, len(ordered))
    return Measured(tuple(ordered[int((i + 0.5) * len(ordered) / count)] for i in range(count)))

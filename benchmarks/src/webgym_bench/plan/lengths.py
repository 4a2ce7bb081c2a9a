"""Attempt lengths and the random numbers of each step, drawn once so that all farms share them."""

from __future__ import annotations

import functools
import itertools
import math
import random
from dataclasses import dataclass

from webgym_bench.plan.costs import Work

_STEEPEST = 5.0
_HALVINGS = 60

Luck = tuple[float, float, float]
"""Random numbers of a step: standard normal values for CPU time, page and reply."""


@dataclass(frozen=True)
class Deck:
    """All attempts, each as the random numbers of its steps."""

    attempts: tuple[tuple[Luck, ...], ...]


def deal(work: Work, count: int = 0) -> Deck:
    """Draw the attempts of a workload, or `count` of them."""
    draw = random.Random(work.seed)  # noqa: S311  nothing secret
    weights = length_weights(work.shortest, work.longest, work.mean_length)
    lengths = draw.choices(range(work.shortest, work.longest + 1), cum_weights=weights, k=count or work.trajectories)
    return Deck(tuple(tuple(_luck(draw) for _ in range(length)) for length in lengths))


@functools.cache
def length_weights(shortest: int, longest: int, mean: float) -> tuple[float, ...]:
    """Return cumulative weights of all lengths: the maximum-entropy distribution with this range and mean."""
    lengths = range(shortest, longest + 1)

    def weights(slope: float) -> list[float]:
        """Weights relative to the largest, which is at one of the ends, to avoid overflow."""
        largest = longest if slope > 0 else shortest
        return [math.exp(slope * (length - largest)) for length in lengths]

    low, high = -_STEEPEST, _STEEPEST
    for _ in range(_HALVINGS):
        slope = (low + high) / 2
        found = weights(slope)
        if sum(map(math.prod, zip(lengths, found, strict=True))) < mean * sum(found):
            low = slope
        else:
            high = slope
    return tuple(itertools.accumulate(weights(low)))


def _luck(draw: random.Random) -> Luck:
    return draw.gauss(0.0, 1.0), draw.gauss(0.0, 1.0), draw.gauss(0.0, 1.0)

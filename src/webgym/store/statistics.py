"""How sure one can be of a rate, and of a difference between two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist, stdev

from webgym.records.base import Record

CONFIDENCE = 0.95


class Interval(Record, frozen=True, omit_defaults=False):
    """An estimate and where the truth plausibly lies."""

    estimate: float
    low: float
    high: float
    n: int
    """What it rests on. With 0 the estimate says nothing."""


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Where a rate lies: Wilson's score interval, which stays within 0 and 1 and holds for few trials."""
    if n == 0:
        return 0.0, 1.0
    z, rate = _z(confidence), successes / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # The bounds are exactly 0 and 1 at the ends; rounding must not say otherwise.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


def paired_difference(a: Mapping[str, float], b: Mapping[str, float], confidence: float = CONFIDENCE) -> Interval:
    """How much higher `b` is than `a` on average, over what both have; values are within 0 and 1.

    The interval is Bonett and Price's adjusted Wald interval: the normal one after adding one pair that went up and one
    that went down. Unlike a bootstrap it does not shrink to nothing when all pairs agree.
    """
    differences = [b[key] - a[key] for key in a.keys() & b.keys()]
    n = len(differences)
    if n == 0:
        return Interval(0.0, -1.0, 1.0, 0)
    total = math.fsum(differences)
    middle = total / (n + 2)
    variance = (math.fsum(one * one for one in differences) + 2) / (n + 2) - middle * middle
    half = _z(confidence) * math.sqrt(variance / (n + 2))
    return Interval(total / n, max(-1.0, middle - half), min(1.0, middle + half), n)


_T975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
"""Student's t for 95 %, by degrees of freedom from 1 on."""


def student(values: Sequence[float]) -> Interval:
    """The mean of few values within -1 and 1, such as those of a few seeds, with its 95 % interval by Student's t."""
    n = len(values)
    middle = math.fsum(values) / n if n else 0.0
    if n < 2:
        return Interval(middle, -1.0, 1.0, n)
    half = _t(n - 1) * stdev(values) / math.sqrt(n)
    return Interval(middle, max(-1.0, middle - half), min(1.0, middle + half), n)


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact probability of a split at least this uneven, if wins and losses were equally likely."""
    n, fewer = wins + losses, min(wins, losses)
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, 2 * tail / 2**n)


def _t(freedom: int) -> float:
    z = _z(CONFIDENCE)
    return _T975[freedom - 1] if freedom <= len(_T975) else z + (z**3 + z) / (4 * freedom)


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)

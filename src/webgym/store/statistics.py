"""How sure one can be of a rate, and of a difference between two."""

from __future__ import annotations

import math
from collections import Counter
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
    z, rate = normal_quantile(confidence), successes / n
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
    half = normal_quantile(confidence) * math.sqrt(variance / (n + 2))
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


def rank_test(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """How often one of `a` is above one of `b`, ties counted half, and how likely so uneven a split is by chance.

    Mann and Whitney's, two-sided, by the normal approximation with a correction for ties. Ranks do not care how far out
    the longest lie. Of nothing there is no split: 0.5 and 1.
    """
    counts_a, counts_b, pairs, n = Counter(a), Counter(b), len(a) * len(b), len(a) + len(b)
    if not pairs:
        return 0.5, 1.0
    below, wins, ties = 0, 0.0, 0
    for value in sorted(counts_a | counts_b):
        wins += counts_a[value] * (below + counts_b[value] / 2)
        below += counts_b[value]
        ties += (counts_a[value] + counts_b[value]) ** 3 - counts_a[value] - counts_b[value]
    variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)))
    if variance <= 0:  # all values are the same
        return 0.5, 1.0
    z = max(0.0, abs(wins - pairs / 2) - 0.5) / math.sqrt(variance)
    return wins / pairs, math.erfc(z / math.sqrt(2))


def _t(freedom: int) -> float:
    z = normal_quantile(CONFIDENCE)
    return _T975[freedom - 1] if freedom <= len(_T975) else z + (z**3 + z) / (4 * freedom)


def normal_quantile(confidence: float) -> float:
    """Standard deviations to either side that hold this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)

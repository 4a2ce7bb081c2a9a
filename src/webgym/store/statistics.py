"""How sure one can be of a rate, a mean, and of a difference or a ratio of two."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, stdev

from webgym.records.base import Record

CONFIDENCE = 0.95
DRAWS = 4000
"""Of a bootstrap."""


class Interval(Record, frozen=True, omit_defaults=False):
    """An estimate and where the truth plausibly lies."""

    estimate: float
    low: float
    high: float
    n: int
    """What it rests on. With 0 the estimate says nothing."""


class Estimate(Record, frozen=True, omit_defaults=False):
    """An estimate, and where the truth plausibly lies if it rests on enough to say so."""

    estimate: float
    low: float | None
    high: float | None
    n: int
    """What it rests on."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and how far it may be off."""

    mean: float
    error: float | None
    """Its standard error; None if there is too little to tell it from."""
    freedom: int
    """Degrees of freedom of that."""
    n: int

    def interval(self) -> Estimate:
        """With its 95 % interval by Student's t."""
        if self.error is None:
            return Estimate(self.mean, None, None, self.n)
        half = _t(self.freedom) * self.error
        return Estimate(self.mean, self.mean - half, self.mean + half, self.n)


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


def clustered_mean(clusters: Sequence[Sequence[float]]) -> Mean | None:
    """The mean of all values, of which those of one cluster depend on each other; None of nothing.

    The error is the cluster-robust one, with as many degrees of freedom as there are clusters less one. If all clusters
    are of one size, this is Student's interval over their means. Of a single cluster there is no error.
    """
    filled = [cluster for cluster in clusters if cluster]
    n, groups = sum(map(len, filled)), len(filled)
    if not n:
        return None
    mean = math.fsum(value for cluster in filled for value in cluster) / n
    if groups < 2:
        return Mean(mean, None, 0, n)
    squares = math.fsum(math.fsum(value - mean for value in cluster) ** 2 for cluster in filled)
    return Mean(mean, math.sqrt(groups / (groups - 1) * squares) / n, groups - 1, n)


def ratio(a: Mean, b: Mean) -> Estimate | None:
    """How many times `b` is `a`, which are independent; None unless both are above 0.

    The interval is that of the difference of their logarithms: errors relative to the means, and Welch's degrees of
    freedom, rounded down.
    """
    if a.mean <= 0 or b.mean <= 0:
        return None
    found = a.mean / b.mean
    if a.error is None or b.error is None:
        return Estimate(found, None, None, a.n + b.n)
    parts = [((one.error or 0.0) / one.mean) ** 2 for one in (a, b)]
    variance = math.fsum(parts)
    if not variance:
        return Estimate(found, found, found, a.n + b.n)
    welch = variance**2 / math.fsum(part**2 / one.freedom for part, one in zip(parts, (a, b), strict=True))
    factor = math.exp(_t(max(1, int(welch + 1e-9))) * math.sqrt(variance))
    return Estimate(found, found / factor, found * factor, a.n + b.n)


Picks = Sequence[Sequence[int]]
"""Of each sample, the places of the members that were drawn."""


def bootstrap(
    statistic: Callable[[Picks], float | None], sizes: Sequence[int], draws: int = DRAWS
) -> tuple[float, float] | None:
    """The 95 % percentile interval of a statistic of samples of these sizes, each drawn anew from its own members.

    The draws are the same every time. None if a sample has fewer than two members, or if the statistic has no value in
    more than one draw of twenty.
    """
    if min(sizes, default=0) < 2:
        return None
    chance = random.Random(0)  # noqa: S311 - no secret
    found = [statistic([chance.choices(range(size), k=size) for size in sizes]) for _ in range(draws)]
    values = sorted(value for value in found if value is not None)
    if len(values) < CONFIDENCE * draws:
        return None
    return _quantile(values, (1 - CONFIDENCE) / 2), _quantile(values, (1 + CONFIDENCE) / 2)


def _quantile(values: Sequence[float], share: float) -> float:
    """Of sorted values, between the two nearest."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


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

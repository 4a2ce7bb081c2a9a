"""Confidence intervals of rates, means, differences and ratios, and significance tests."""

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
"""Default number of bootstrap resamples."""


class Interval(Record, frozen=True, omit_defaults=False):
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float
    n: int
    """Number of observations. If 0, the estimate is meaningless."""

    @property
    def excludes_zero(self) -> bool:
        """Whether more than chance explains the estimate, if it is a difference."""
        return not self.low <= 0 <= self.high


class Estimate(Record, frozen=True, omit_defaults=False):
    """An estimate with its confidence interval, if there are enough observations for one."""

    estimate: float
    low: float | None
    high: float | None
    n: int
    """Number of observations."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error."""

    mean: float
    error: float | None
    """Standard error; None with too few observations."""
    freedom: int
    """Degrees of freedom of the standard error."""
    n: int

    def interval(self) -> Estimate:
        """Return the mean with its 95 % Student's t interval."""
        if self.error is None:
            return Estimate(self.mean, None, None, self.n)
        half = _t(self.freedom) * self.error
        return Estimate(self.mean, self.mean - half, self.mean + half, self.n)


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the Wilson score interval of a rate, which stays within [0, 1] and is accurate for few trials."""
    if n == 0:
        return 0.0, 1.0
    z, rate = normal_quantile(confidence), successes / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # The bounds are exactly 0 and 1 at the extremes; avoid rounding errors.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


def paired_difference(a: Mapping[str, float], b: Mapping[str, float], confidence: float = CONFIDENCE) -> Interval:
    """Estimate the mean of `b - a` over the keys in both; values must be in [0, 1].

    The interval is Bonett and Price's adjusted Wald interval: the normal interval after adding one pair that went up
    and one that went down. Unlike a bootstrap interval, it does not collapse when all pairs agree.
    """
    differences = [b[key] - a[key] for key in a.keys() & b.keys()]
    n = len(differences)
    if n == 0:
        return Interval(0.0, -1.0, 1.0, 0)
    total = math.fsum(differences)
    middle = total / (n + 2)
    variance = (math.fsum(difference * difference for difference in differences) + 2) / (n + 2) - middle * middle
    half = normal_quantile(confidence) * math.sqrt(variance / (n + 2))
    return Interval(total / n, max(-1.0, middle - half), min(1.0, middle + half), n)


_T975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
"""97.5 % quantiles of Student's t, by degrees of freedom from 1."""


def student(values: Sequence[float]) -> Interval:
    """Estimate the mean of values in [-1, 1], such as those of a few seeds, with a 95 % Student's t interval."""
    n = len(values)
    middle = math.fsum(values) / n if n else 0.0
    if n < 2:
        return Interval(middle, -1.0, 1.0, n)
    half = _t(n - 1) * stdev(values) / math.sqrt(n)
    return Interval(middle, max(-1.0, middle - half), min(1.0, middle + half), n)


def clustered_mean(clusters: Sequence[Sequence[float]]) -> Mean | None:
    """Return the mean of all values, which are dependent within a cluster; None if there are no values.

    The standard error is cluster-robust, with one degree of freedom less than there are clusters. For clusters of equal
    size this is Student's interval over their means. A single cluster has no standard error.
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
    """Estimate `a / b` of two independent means; None unless both are positive.

    The interval is computed on the log scale, from the relative errors and Welch's degrees of freedom, rounded down.
    """
    if a.mean <= 0 or b.mean <= 0:
        return None
    found = a.mean / b.mean
    if a.error is None or b.error is None:
        return Estimate(found, None, None, a.n + b.n)
    parts = [((mean.error or 0.0) / mean.mean) ** 2 for mean in (a, b)]
    variance = math.fsum(parts)
    if not variance:
        return Estimate(found, found, found, a.n + b.n)
    welch = variance**2 / math.fsum(part**2 / mean.freedom for part, mean in zip(parts, (a, b), strict=True))
    factor = math.exp(_t(max(1, int(welch + 1e-9))) * math.sqrt(variance))
    return Estimate(found, found / factor, found * factor, a.n + b.n)


Picks = Sequence[Sequence[int]]
"""The drawn indices of each sample."""


def bootstrap(
    statistic: Callable[[Picks], float | None], sizes: Sequence[int], draws: int = DRAWS
) -> tuple[float, float] | None:
    """Return the 95 % percentile bootstrap interval of a statistic of independently resampled samples.

    The seed is fixed. None if a sample has fewer than two members, or if the statistic is None in more than 5 % of the
    resamples.
    """
    if min(sizes, default=0) < 2:
        return None
    chance = random.Random(0)  # noqa: S311 - not cryptographic
    found = [statistic([chance.choices(range(size), k=size) for size in sizes]) for _ in range(draws)]
    values = sorted(value for value in found if value is not None)
    if len(values) < CONFIDENCE * draws:
        return None
    return _quantile(values, (1 - CONFIDENCE) / 2), _quantile(values, (1 + CONFIDENCE) / 2)


def _quantile(values: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, linearly interpolated."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided exact p-value of the sign test."""
    n, fewer = wins + losses, min(wins, losses)
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, 2 * tail / 2**n)


def rank_test(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Return the probability that a value of `a` exceeds one of `b`, ties counted half, and its p-value.

    The two-sided Mann-Whitney U test with the normal approximation and tie correction; ranks are robust to outliers.
    Returns (0.5, 1) if `a` or `b` is empty.
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
    """Return the two-sided standard normal quantile for a confidence level."""
    return NormalDist().inv_cdf((1 + confidence) / 2)

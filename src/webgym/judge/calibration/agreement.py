"""Two answers to the same questions: how often they agree, and where the truth about that plausibly lies.

Answers about the same task hang together: the facts of one attempt, the attempts at one task. They are worth fewer
independent ones, and every interval here is that of the fewer (a Wilson interval on the effective number).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from webgym.records.base import Record
from webgym.store.statistics import CONFIDENCE, Interval, wilson


@dataclass(frozen=True, slots=True)
class Answered:
    """One question, what is true, and what the judge says; None: it does not."""

    cluster: str
    """Answers of one cluster are not independent."""
    truth: bool
    judged: bool | None


class Agreement(Record, frozen=True, omit_defaults=False):
    """A judge against truth. Rates are over what it answered; how much that is, `answered` says."""

    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int
    unanswered: int
    answered: Interval
    """Share of questions with an answer."""
    accuracy: Interval
    precision: Interval
    """Of what it called true, how much is."""
    recall: Interval
    """Of what is true, how much it called so."""
    false_positive_rate: Interval
    """Of what is false, how much it called true: reward that was not earned."""
    false_negative_rate: Interval
    """Of what is true, how much it called false: reward that was withheld."""
    kappa: Interval
    """Cohen's: agreement beyond what chance would give. 1 is perfect, 0 no better than chance."""

    @property
    def n(self) -> int:
        """Questions asked."""
        return self.unanswered + self.judged

    @property
    def judged(self) -> int:
        """Questions answered."""
        return self.true_positives + self.false_positives + self.true_negatives + self.false_negatives


def agreement(answers: Sequence[Answered], confidence: float = CONFIDENCE) -> Agreement:
    """How far the judge's answers agree with truth."""
    given = [one for one in answers if one.judged is not None]
    counts = [
        sum(one.truth is truth and one.judged is judged for one in given)
        for truth, judged in ((True, True), (False, True), (False, False), (True, False))
    ]
    accuracy = rate([(one.cluster, one.truth is one.judged) for one in given], confidence)
    return Agreement(
        *counts,
        unanswered=len(answers) - len(given),
        answered=rate([(one.cluster, one.judged is not None) for one in answers], confidence),
        accuracy=accuracy,
        precision=rate([(one.cluster, one.truth) for one in given if one.judged], confidence),
        recall=rate([(one.cluster, one.judged is True) for one in given if one.truth], confidence),
        false_positive_rate=rate([(one.cluster, one.judged is True) for one in given if not one.truth], confidence),
        false_negative_rate=rate([(one.cluster, not one.judged) for one in given if one.truth], confidence),
        kappa=_kappa(counts, accuracy),
    )


def rate(draws: Sequence[tuple[str, bool]], confidence: float = CONFIDENCE) -> Interval:
    """The share of true ones among draws that hang together within their cluster."""
    n = len(draws)
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    hits = sum(hit for _, hit in draws)
    share = hits / n
    effective = effective_number(draws)
    low, high = _wilson(share, effective, confidence)
    return Interval(share, min(low, share), max(high, share), n)


def effective_number(draws: Sequence[tuple[str, bool]]) -> float:
    """How many independent draws these are worth: never more than there are.

    From the spread between clusters (linearised ratio). Where all draws are the same there is no spread to go by: then
    each cluster counts once.
    """
    clusters: dict[str, list[bool]] = defaultdict(list)
    for cluster, hit in draws:
        clusters[cluster].append(hit)
    n, k = len(draws), len(clusters)
    if k == n:
        return float(n)
    share = sum(hit for _, hit in draws) / n
    if share in {0.0, 1.0} or k == 1:
        return float(k)
    spread = sum((sum(found) - share * len(found)) ** 2 for found in clusters.values()) * k / (k - 1)
    if not spread:
        return float(k)
    return min(float(n), n * n * share * (1 - share) / spread)


def _wilson(share: float, n: float, confidence: float) -> tuple[float, float]:
    """Wilson's interval takes whole numbers; between two of them, the wider."""
    whole = max(1, int(n))
    hits = share * whole
    down, up = wilson(int(hits), whole, confidence), wilson(-int(-hits // 1), whole, confidence)
    return min(down[0], up[0]), max(down[1], up[1])


def _kappa(counts: Sequence[int], accuracy: Interval) -> Interval:
    """Cohen's kappa; its interval is that of the accuracy, seen from what chance gives (Cohen, 1960).

    Unlike one from a bootstrap, it does not shrink to a point when there is no error in the sample.
    """
    both, false_positive, _, false_negative = counts
    n = sum(counts)
    if n == 0:
        return Interval(0.0, -1.0, 1.0, 0)
    truth, judged = (both + false_negative) / n, (both + false_positive) / n
    chance = truth * judged + (1 - truth) * (1 - judged)
    if chance == 1.0:  # both say the same of everything: nothing shows that the judge tells apart
        return Interval(0.0, -1.0, 1.0, n)
    low, middle, high = ((one - chance) / (1 - chance) for one in (accuracy.low, accuracy.estimate, accuracy.high))
    return Interval(middle, max(-1.0, low), min(1.0, high), n)

"""Agreement between the judge and ground truth, with confidence intervals.

Answers about one task are correlated: the facts of an attempt, and the attempts at a task. Every interval accounts for
this: it is a Wilson interval on the effective sample size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from webgym.records.base import Record
from webgym.store.statistics import CONFIDENCE, Interval, wilson


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """The ground truth of one question and the judge's answer; None if the judge abstains."""

    cluster: str
    """Answers within one cluster are not independent."""
    truth: bool
    judged: bool | None


class JudgeAgreement(Record, frozen=True, omit_defaults=False):
    """A judge against ground truth. Rates are over the questions that it answered; `answered` is their share."""

    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int
    unanswered: int
    answered: Interval
    """Share of questions that the judge answered."""
    accuracy: Interval
    precision: Interval
    """Share of what it called true that is true."""
    recall: Interval
    """Share of what is true that it called true."""
    false_positive_rate: Interval
    """Share of what is false that it called true: unearned reward."""
    false_negative_rate: Interval
    """Share of what is true that it called false: withheld reward."""
    kappa: Interval
    """Cohen's kappa, agreement beyond chance: 1 is perfect, 0 no better than chance."""

    @property
    def n(self) -> int:
        """Questions asked."""
        return self.unanswered + self.judged

    @property
    def judged(self) -> int:
        """Questions answered."""
        return self.true_positives + self.false_positives + self.true_negatives + self.false_negatives


def agreement(answers: Sequence[JudgedQuestion], confidence: float = CONFIDENCE) -> JudgeAgreement:
    """Measure how well the judge's answers agree with ground truth."""
    given = [answer for answer in answers if answer.judged is not None]
    counts = [
        sum(question.truth is truth and question.judged is judged for question in given)
        for truth, judged in ((True, True), (False, True), (False, False), (True, False))
    ]
    accuracy = rate([(question.cluster, question.truth is question.judged) for question in given], confidence)
    return JudgeAgreement(
        *counts,
        unanswered=len(answers) - len(given),
        answered=rate([(answer.cluster, answer.judged is not None) for answer in answers], confidence),
        accuracy=accuracy,
        precision=rate([(question.cluster, question.truth) for question in given if question.judged], confidence),
        recall=rate([(question.cluster, question.judged is True) for question in given if question.truth], confidence),
        false_positive_rate=rate(
            [(question.cluster, question.judged is True) for question in given if not question.truth], confidence
        ),
        false_negative_rate=rate(
            [(question.cluster, not question.judged) for question in given if question.truth], confidence
        ),
        kappa=_kappa(counts, accuracy),
    )


def rate(draws: Sequence[tuple[str, bool]], confidence: float = CONFIDENCE) -> Interval:
    """Return the share of hits among clustered draws, with its interval."""
    n = len(draws)
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    hits = sum(hit for _, hit in draws)
    share = hits / n
    effective = effective_number(draws)
    low, high = _wilson(share, effective, confidence)
    return Interval(share, min(low, share), max(high, share), n)


def effective_number(draws: Sequence[tuple[str, bool]]) -> float:
    """Return the effective sample size of clustered draws; at most their number.

    Estimated from the between-cluster variance (linearised ratio estimator). If all draws are equal there is none to
    estimate from, and each cluster counts once.
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
    """Wilson's interval needs integer counts; return the wider of the two nearest."""
    whole = max(1, int(n))
    hits = share * whole
    down, up = wilson(int(hits), whole, confidence), wilson(-int(-hits // 1), whole, confidence)
    return min(down[0], up[0]), max(down[1], up[1])


def _kappa(counts: Sequence[int], accuracy: Interval) -> Interval:
    """Cohen's kappa, with the interval of the accuracy rescaled by chance agreement (Cohen, 1960).

    Unlike a bootstrap interval, it does not collapse to a point when the sample contains no error.
    """
    both, false_positive, _, false_negative = counts
    n = sum(counts)
    if n == 0:
        return Interval(0.0, -1.0, 1.0, 0)
    truth, judged = (both + false_negative) / n, (both + false_positive) / n
    chance = truth * judged + (1 - truth) * (1 - judged)
    if chance == 1.0:  # both give one constant answer: nothing shows that the judge discriminates
        return Interval(0.0, -1.0, 1.0, n)
    low, middle, high = ((share - chance) / (1 - chance) for share in (accuracy.low, accuracy.estimate, accuracy.high))
    return Interval(middle, max(-1.0, low), min(1.0, high), n)

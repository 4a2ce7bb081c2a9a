"""Statistics of the updates of runs: lag and clipping."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.store.statistics import Mean, clustered_mean

CLIP_SHARE = "clip_share"


class Lag(Record, frozen=True, omit_defaults=False):
    """Lag of the behaviour policy in policy versions, over the tokens learned from."""

    mean: float
    most: int


def lag_of(curves: Sequence[Sequence[Iteration]]) -> Lag | None:
    """Return the lag over all runs of an arm; None if an update did not record it."""
    found = [_lag(one) for curve in curves for one in curve if one.learned]
    told = [one for one in found if one is not None]
    tokens = sum(weight for _, _, weight in told)
    if len(told) < len(found) or not tokens:
        return None
    return Lag(sum(mean * weight for mean, _, weight in told) / tokens, max(most for _, most, _ in told))


def _lag(one: Iteration) -> tuple[float, int, int] | None:
    """Return mean lag, maximum lag, and the number of tokens as weight."""
    if one.learned and one.learned.lags:
        tokens = sum(one.learned.lags.values())
        mean = sum(lag * count for lag, count in one.learned.lags.items()) / max(1, tokens)
        return mean, max(one.learned.lags), tokens
    if one.learned and one.flow:
        return one.flow.lag_mean, one.flow.lag_max, one.learned.tokens
    return None


def clipping_of(curves: Sequence[Sequence[Iteration]]) -> Mean | None:
    """Return the mean share of tokens clipped per update; None if an update did not record it.

    Updates of one run are dependent, so the standard error is clustered by run.
    """
    updates = [[one.learned.figures for one in curve if one.learned] for curve in curves]
    if any(CLIP_SHARE not in figures for run in updates for figures in run):
        return None
    return clustered_mean([[figures[CLIP_SHARE] for figures in run] for run in updates])

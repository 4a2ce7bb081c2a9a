"""Prometheus gauges of training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from webgym.records.curve import Iteration
from webgym.telemetry.measures import Measures


def training_gauges(metrics: Measures, iterations: Callable[[], Sequence[Iteration]]) -> None:
    """Register gauges that are computed from the curve at scrape time; NaN for what was never measured."""

    def last(read: Callable[[Iteration], float | None], nothing: float = math.nan) -> Callable[[], float]:
        def found() -> Iterator[float]:
            values = (read(iteration) for iteration in reversed(iterations()))
            return (value for value in values if value is not None)

        return lambda: next(found(), nothing)

    metrics.gauge("webgym_training_iteration", "Last finished iteration.", last(lambda one: one.iteration, 0))
    metrics.gauge(
        "webgym_training_policy_version",
        "Policy version after the last finished iteration.",
        last(lambda one: one.version, 0),
    )
    metrics.gauge(
        "webgym_training_updates", "Iterations that updated the policy.", lambda: sum(map(_has_learned, iterations()))
    )
    metrics.gauge("webgym_training_success_rate", "Success rate of the last training attempts.", last(_trained))
    metrics.gauge(
        "webgym_training_unseen_success_rate", "Success rate in the last evaluation on unseen websites.", last(_tested)
    )
    metrics.gauge(
        "webgym_training_lag_mean",
        "Mean lag, in updates, of the tokens in the last batch.",
        last(lambda one: one.flow.lag_mean if one.flow else None),
    )
    metrics.gauge(
        "webgym_training_lag_max",
        "Largest lag, in updates, of a token in the last batch.",
        last(lambda one: one.flow.lag_max if one.flow else None),
    )


def _has_learned(one: Iteration) -> bool:
    return one.learned is not None


def _trained(one: Iteration) -> float | None:
    return one.train.success.rate if one.train and one.train.success.attempts else None


def _tested(one: Iteration) -> float | None:
    return one.evaluation.success.rate if one.evaluation and one.evaluation.success.attempts else None

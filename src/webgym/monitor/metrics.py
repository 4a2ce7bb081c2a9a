"""Exports a board's totals to Prometheus, computed on each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from webgym.monitor import states
from webgym.monitor.wire import BoardTotals
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS

_OPEN: tuple[states.Status, ...] = ("waiting", "queued", "running")


class TotalsCollector(Collector):
    """Collects the totals that the page shows above its cells."""

    def __init__(self, totals: Callable[[], BoardTotals]) -> None:
        self._totals = totals

    def collect(self) -> Iterator[Metric]:
        totals = self._totals()
        by_status = states.by_status(totals.counts)
        yield CounterMetricFamily("webgym_attempts_submitted", "Attempts submitted.", value=totals.submitted)
        ended = CounterMetricFamily("webgym_attempts_ended", "Attempts that are over, by outcome.", labels=["outcome"])
        for outcome in OUTCOME_KINDS:
            ended.add_metric([outcome], by_status[outcome])
        yield ended
        there = GaugeMetricFamily("webgym_attempts_open", "Attempts that are not over, by status.", labels=["status"])
        for status in _OPEN:
            there.add_metric([status], by_status[status])
        yield there
        yield from _operations(totals)
        yield GaugeMetricFamily("webgym_events_lost", "Events that are missing in all of this.", value=totals.lost)


def _operations(totals: BoardTotals) -> Iterator[Metric]:
    running = GaugeMetricFamily("webgym_operations_running", "Operations under way.", labels=["operation"])
    queued = GaugeMetricFamily("webgym_operations_queued", "Operations that wait at their gate.", labels=["operation"])
    limit = GaugeMetricFamily("webgym_operation_limit", "How many may be under way at once.", labels=["operation"])
    for operation, figures in zip(OPERATIONS, totals.operations, strict=True):
        running.add_metric([operation], figures.running)
        queued.add_metric([operation], figures.queued)
        if figures.limit is not None:
            limit.add_metric([operation], figures.limit)
    yield from (running, queued, limit)

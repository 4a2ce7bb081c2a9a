"""Prometheus metrics of one thing in a process, in a registry of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST
STEP_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)


class Measures:
    """A registry, and what is put into it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

    def counter(self, name: str, description: str, labels: Iterable[str] = ()) -> Counter:
        return Counter(name, description, tuple(labels), registry=self.registry)

    def histogram(
        self, name: str, description: str, labels: Iterable[str] = (), buckets: Sequence[float] = STEP_BUCKETS
    ) -> Histogram:
        return Histogram(name, description, tuple(labels), registry=self.registry, buckets=buckets)

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """A number that is read whenever the metrics are."""
        Gauge(name, description, registry=self.registry).set_function(read)

    def render(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)

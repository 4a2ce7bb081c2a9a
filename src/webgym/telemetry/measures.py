"""Prometheus metrics in a registry of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST
STEP_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)


class Measures:
    """A Prometheus registry with helpers to create metrics in it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

    def counter(self, name: str, description: str, labels: Iterable[str] = ()) -> Counter:
        return Counter(name, description, tuple(labels), registry=self.registry)

    def histogram(
        self, name: str, description: str, labels: Iterable[str] = (), buckets: Sequence[float] = STEP_BUCKETS
    ) -> Histogram:
        return Histogram(name, description, tuple(labels), registry=self.registry, buckets=buckets)

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Create a gauge whose value is read at scrape time."""
        Gauge(name, description, registry=self.registry).set_function(read)

    def render(self) -> bytes:
        """Render all metrics in the Prometheus text format."""
        return generate_latest(self.registry)

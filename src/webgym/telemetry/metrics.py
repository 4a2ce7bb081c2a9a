"""Prometheus metrics made of events, and of gauges read when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from webgym.records import event as events
from webgym.records.event import Event

CONTENT_TYPE = CONTENT_TYPE_LATEST
_STEP_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one process. `record` is an event sink."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._opened = self._counter("webgym_sessions_opened", "Sessions leased out.")
        self._closed = self._counter("webgym_sessions_closed", "Sessions ended, by reason.", ("why",))
        self._open_seconds = self._histogram("webgym_session_open_seconds", "From request to usable session.")
        self._steps = self._counter("webgym_steps", "Steps taken, by kind of action and effect.", ("action", "effect"))
        self._step_seconds = self._histogram("webgym_step_seconds", "Act, settle, observe; without the network.")
        self._step_bytes = self._counter("webgym_step_bytes", "Bytes of the replies to steps.")
        self._nodes_dropped = self._counter("webgym_nodes_dropped", "Nodes that fell silent or left.")
        self._workers_died = self._counter("webgym_workers_died", "Worker processes that ended by themselves.")
        self._browsers_died = self._counter("webgym_browsers_died", "Chromium processes that ended by themselves.")
        self._recycled = self._counter("webgym_browsers_recycled", "Chromium processes replaced, by reason.", ("why",))

    def record(self, event: Event) -> None:
        """Count one event."""
        match event:
            case events.SessionOpened():
                self._opened.inc()
                self._open_seconds.observe(event.seconds)
            case events.SessionClosed():
                self._closed.labels(event.why).inc()
            case events.StepTaken():
                self._steps.labels(event.action, event.effect).inc()
                self._step_seconds.observe(event.seconds)
                self._step_bytes.inc(event.bytes)
            case events.NodeDropped():
                self._nodes_dropped.inc()
            case events.WorkerDied():
                self._workers_died.inc()
            case events.BrowserDied():
                self._browsers_died.inc()
            case events.BrowserRecycled():
                self._recycled.labels(event.why).inc()
            case _:
                pass

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """A number that is read whenever the metrics are."""
        Gauge(name, description, registry=self.registry).set_function(read)

    def render(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def _counter(self, name: str, description: str, labels: Iterable[str] = ()) -> Counter:
        return Counter(name, description, tuple(labels), registry=self.registry)

    def _histogram(self, name: str, description: str) -> Histogram:
        return Histogram(name, description, registry=self.registry, buckets=_STEP_BUCKETS)

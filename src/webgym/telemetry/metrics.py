"""Metrics of the browser fleet, derived from events."""

from __future__ import annotations

from webgym.records import event as events
from webgym.records.event import Event
from webgym.telemetry.measures import Measures


class Metrics(Measures):
    """Metrics of a process of the browser fleet. `record` is an event sink."""

    def __init__(self) -> None:
        super().__init__()
        self._opened = self.counter("webgym_sessions_opened", "Sessions leased out.")
        self._closed = self.counter("webgym_sessions_closed", "Sessions ended, by reason.", ("why",))
        self._open_seconds = self.histogram("webgym_session_open_seconds", "From request to usable session.")
        self._steps = self.counter("webgym_steps", "Steps taken, by kind of action and effect.", ("action", "effect"))
        self._step_seconds = self.histogram("webgym_step_seconds", "Act, settle, observe; without the network.")
        self._step_bytes = self.counter("webgym_step_bytes", "Bytes of the replies to steps.")
        self._nodes_dropped = self.counter("webgym_nodes_dropped", "Nodes that fell silent or left.")
        self._workers_died = self.counter("webgym_workers_died", "Worker processes that ended by themselves.")
        self._browsers_died = self.counter("webgym_browsers_died", "Chromium processes that ended by themselves.")
        self._recycled = self.counter("webgym_browsers_recycled", "Chromium processes replaced, by reason.", ("why",))

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
            case _:  # events of attempts, which are not the fleet's
                pass

"""Metrics of attempts, derived from their events."""

from __future__ import annotations

from webgym.records import event as events
from webgym.records.event import OPERATIONS, Event
from webgym.telemetry.lag import LoopLag
from webgym.telemetry.measures import STEP_BUCKETS, Measures

_OPERATION_BUCKETS = (*STEP_BUCKETS, 60.0, 120.0, 300.0, 900.0)
"""Models and judges take longer than pages."""
_ATTEMPT_BUCKETS = (5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0)
_LAG_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class AttemptMetrics(Measures):
    """Metrics of a process that runs attempts. `record` is an event sink.

    Excludes gauges of current counts, which a board provides.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tries = self.counter("webgym_tries", "Tries begun: an attempt has more if infrastructure failed.")
        self._attempt_seconds = self.histogram(
            "webgym_attempt_seconds", "From the beginning of an attempt to its end.", buckets=_ATTEMPT_BUCKETS
        )
        took = self.histogram(
            "webgym_operation_seconds", "What operations took, queues left out.", ("operation",), _OPERATION_BUCKETS
        )
        waited = self.histogram(
            "webgym_operation_queue_seconds",
            "What operations waited at their gate.",
            ("operation",),
            _OPERATION_BUCKETS,
        )
        # Created up front: it saves lookups, and Prometheus rates need an initial zero.
        self._took = {operation: took.labels(operation) for operation in OPERATIONS}
        self._waited = {operation: waited.labels(operation) for operation in OPERATIONS}
        self._errors = self.counter(
            "webgym_operation_errors", "Operations that failed, by error.", ("operation", "error")
        )
        self._steps = self.counter("webgym_steps_decided", "Steps that agents decided, by kind of action.", ("action",))
        tokens = self.counter("webgym_tokens", "Tokens of prompts, and sampled, as far as they are told.", ("of",))
        self._prompt_tokens, self._sampled_tokens = tokens.labels("prompt"), tokens.labels("sampled")
        late = self.histogram(
            "webgym_event_loop_late_seconds", "Lateness of every tick of the event loop.", buckets=_LAG_BUCKETS
        )
        self.lag = LoopLag(late.observe)
        self.gauge("webgym_event_loop_lag_seconds", "Lateness of the last tick.", lambda: self.lag.seconds)

    def record(self, event: Event) -> None:
        """Count one event."""
        match event:
            case events.AttemptBegan():
                self._tries.inc()
            case events.OperationStarted():
                self._waited[event.operation].observe(event.queued)
            case events.OperationEnded():
                self._took[event.operation].observe(event.seconds)
                if event.error:
                    self._errors.labels(event.operation, event.error).inc()
            case events.StepDecided():
                self._steps.labels(event.action).inc()
                self._prompt_tokens.inc(event.prompt_tokens)
                self._sampled_tokens.inc(event.sampled_tokens)
            case events.AttemptEnded():
                self._attempt_seconds.observe(event.seconds)
            case _:
                pass

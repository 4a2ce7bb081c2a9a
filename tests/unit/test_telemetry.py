"""Telemetry never blocks and never raises."""

from __future__ import annotations

import json
import logging

import anyio
import pytest

from webgym.records.event import Event, SessionClosed, SessionOpened, StepTaken, WorkerDied
from webgym.telemetry import log
from webgym.telemetry.events import EventBus
from webgym.telemetry.metrics import Metrics


def test_a_broken_sink_harms_nobody(caplog: pytest.LogCaptureFixture):
    seen: list[Event] = []

    def broken(event: Event) -> None:
        raise RuntimeError("disk full")

    EventBus(broken, seen.append).emit(WorkerDied(1, 0, "x"))
    assert len(seen) == 1
    assert "event sink failed" in caplog.text


def test_a_slow_subscriber_loses_the_oldest_events_and_is_told_how_many():
    bus = EventBus()
    with bus.subscribe(size=2) as subscription:
        for number in range(5):
            bus.emit(WorkerDied(number, 0, "x"))
        assert subscription.dropped == 3


@pytest.mark.anyio
async def test_a_subscriber_gets_events_in_order_and_waits_for_more():
    bus = EventBus()
    got: list[int] = []

    async def read() -> None:
        async for event in subscription:
            assert isinstance(event, WorkerDied)
            got.append(event.worker)
            if len(got) == 3:
                return

    with bus.subscribe() as subscription, anyio.fail_after(30):
        bus.emit(WorkerDied(0, 0, "x"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            await anyio.sleep(0.01)
            bus.emit(WorkerDied(1, 0, "x"))
            bus.emit(WorkerDied(2, 0, "x"))
    assert got == [0, 1, 2]


def test_events_become_metrics():
    metrics = Metrics()
    metrics.gauge("webgym_sessions", "Now.", lambda: 7)
    metrics.record(SessionOpened("s", seconds=0.2))
    metrics.record(StepTaken("s", "click", 0.13, effect="changed", bytes=90_000))
    metrics.record(SessionClosed("s", "released", 1))
    text = metrics.render().decode()
    assert 'webgym_steps_total{action="click",effect="changed"} 1.0' in text
    assert 'webgym_sessions_closed_total{why="released"} 1.0' in text
    assert "webgym_sessions 7.0" in text
    assert "webgym_step_bytes_total 90000.0" in text


def test_a_log_line_for_machines_holds_what_json_has_no_bytes_for():
    record = logging.LogRecord("webgym.x", logging.INFO, "f.py", 1, "the page says %s", ("\ud83d",), None)
    assert json.loads(log.JsonFormatter().format(record))["message"] == r"the page says \ud83d"


def test_a_log_line_for_machines_is_json_with_its_context():
    record = logging.LogRecord("webgym.x", logging.INFO, "f.py", 1, "opened %s", ("s1",), None)
    token = log.context.set({"session": "abc"})
    try:
        line = json.loads(log.JsonFormatter().format(record))
    finally:
        log.context.reset(token)
    assert (line["message"], line["session"], line["level"]) == ("opened s1", "abc", "info")

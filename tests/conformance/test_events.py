"""One suite for all events: the fake, and a bus, whatever becomes of those who listen to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webgym.records.event import Event
from webgym.run.training_attempts import WithoutLimits
from webgym.stages import Events
from webgym.telemetry.events import EventBus
from webgym.testing.conformance import EVENTS_CHECKS, EventsCheck
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio


def broken(event: Event) -> None:
    raise ValueError("this sink is broken")


IMPLEMENTATIONS = [
    pytest.param(EventList, id="fake"),
    pytest.param(EventBus, id="bus"),
    pytest.param(lambda: WithoutLimits(EventBus(broken)), id="with-a-broken-sink"),
]


@pytest.mark.parametrize("check", EVENTS_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("make", IMPLEMENTATIONS)
async def test_they_behave_like_events(make: Callable[[], Events], check: EventsCheck):
    await check(make())


async def test_a_subscriber_that_does_not_read_stops_nobody():
    bus = EventBus()
    with bus.subscribe(size=8) as waiting:
        for check in EVENTS_CHECKS:
            await check(bus)
        assert waiting.dropped > 0

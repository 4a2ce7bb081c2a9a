"""Conformance checks for `Events`: `emit` takes any event, and neither blocks nor raises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from webgym.records.event import AttemptBegan, AttemptEnded, Event, StepDecided
from webgym.stages import Events
from webgym.testing.conformance.checking import bounded
from webgym.testing.conformance.example_records import ODD_WORDS

EventsCheck = Callable[[Events], Awaitable[None]]
MANY = 1_500
"""More events than any subscriber buffers."""
SOME: tuple[Event, ...] = (
    AttemptBegan("task-1/0", 1),
    StepDecided("task-1/0", 1, "click", ODD_WORDS, f"http://fake.example/{ODD_WORDS}", "", 10, 20),
    AttemptEnded("task-1/0", "failure", 1, 2.5, ODD_WORDS),
)


async def events_follow_the_protocol(events: Events) -> None:
    """`emit` takes an event and returns None; it is not awaited."""
    assert isinstance(events, Events), f"{events!r} has no method `emit`"
    for event in SOME:
        said: object = events.emit(event)
        assert said is None, f"`emit` gave {said!r}: it must not be asynchronous"


async def whoever_tells_of_much_is_not_stopped(events: Events) -> None:
    """`emit` never raises, even when nobody consumes the events."""
    for number in range(MANY):
        try:
            events.emit(SOME[number % len(SOME)])
        except Exception as error:
            raise AssertionError(f"`emit` never raises, and the {number + 1}th raised {error!r}") from error


EVENTS_CHECKS: tuple[EventsCheck, ...] = bounded(events_follow_the_protocol, whoever_tells_of_much_is_not_stopped)

"""An in-process event bus.

`emit` never blocks and never raises: a slow subscriber loses its oldest events, and can read how many it lost.
"""

from __future__ import annotations

import collections
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Generator

import anyio

from webgym.records.event import Event

logger = logging.getLogger(__name__)


class Subscription:
    """Bounded queue of one subscriber. Consumes: emitted events. Waits for: the next event."""

    def __init__(self, size: int) -> None:
        self._events: collections.deque[Event] = collections.deque(maxlen=size)
        self._arrived = anyio.Event()
        self.dropped = 0
        """Events lost because this subscriber was too slow."""

    def put(self, event: Event) -> None:
        """Add an event, dropping the oldest if the queue is full."""
        if len(self._events) == self._events.maxlen:
            self.dropped += 1
        self._events.append(event)
        self._arrived.set()

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            while self._events:
                yield self._events.popleft()
            self._arrived = anyio.Event()
            await self._arrived.wait()


class EventBus:
    """Delivers every event to every sink and subscriber."""

    def __init__(self, *sinks: Callable[[Event], None]) -> None:
        self._sinks = sinks
        self._subscriptions: set[Subscription] = set()

    def emit(self, event: Event) -> None:
        """Deliver an event. Never blocks and never raises."""
        for sink in self._sinks:
            try:
                sink(event)
            except Exception:  # a broken sink must not break the stage that reports
                logger.warning("event sink failed", exc_info=True)
        for subscription in self._subscriptions:
            subscription.put(event)

    @contextlib.contextmanager
    def subscribe(self, size: int = 1024) -> Generator[Subscription]:
        """Subscribe to events from now on; the queue holds the newest `size` of them."""
        subscription = Subscription(size)
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

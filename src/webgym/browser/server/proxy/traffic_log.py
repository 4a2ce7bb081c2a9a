"""Statistics of a session's proxy: counters, open connections, and recent failures."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

import anyio

from webgym.browser.server.proxy.hosts import Destination
from webgym.browser.server.proxy.replies import FailureKind, ProxyFailure

_REMEMBERED = 256
_DRAIN_SECONDS = 5.0


class Connection(Protocol):
    """Either end of a relayed connection."""

    def sweep(self, now: float) -> None:
        """Close the connection if it has been idle for too long."""
        ...

    def abort(self) -> None:
        """Close the connection at once."""
        ...


class TrafficLog:
    """Counters, open connections and the latest failure per destination, in bounded memory."""

    def __init__(self) -> None:
        self.requests = 0
        self.refused = 0
        self.bytes_in = 0
        self.bytes_out = 0
        self.connections: set[Connection] = set()
        self._failures: OrderedDict[Destination, ProxyFailure] = OrderedDict()
        self._drained = anyio.Event()
        self._closed = False

    def failed(self, destination: Destination, failure: ProxyFailure) -> None:
        if failure.kind is FailureKind.REFUSED:
            self.refused += 1
        self._failures[destination] = failure
        self._failures.move_to_end(destination)
        if len(self._failures) > _REMEMBERED:
            self._failures.popitem(last=False)

    def passed(self, destination: Destination) -> None:
        self._failures.pop(destination, None)

    def failure_of(self, destination: Destination) -> ProxyFailure | None:
        return self._failures.get(destination)

    def add(self, connection: Connection) -> None:
        self.connections.add(connection)
        if self._closed:  # accepted or connected just before the proxy closed
            connection.abort()

    def remove(self, connection: Connection) -> None:
        self.connections.discard(connection)
        if not self.connections:
            self._drained.set()

    async def close_all(self) -> None:
        """Abort every connection, and wait until the event loop has released them."""
        self._closed = True
        for connection in tuple(self.connections):
            connection.abort()
        if self.connections:
            self._drained = anyio.Event()
            with anyio.move_on_after(_DRAIN_SECONDS):
                await self._drained.wait()

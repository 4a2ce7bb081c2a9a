"""Placement: which node opens a session, and the queue of opens that wait for capacity.

Opens wait in one bounded FIFO queue for capacity on any node. Announcements, and opens that finish, unblock them.
"""

from __future__ import annotations

import collections
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from webgym.browser.server.gateway.registry import KnownNode, Registry
from webgym.errors import CapacityError

_TYPICAL_SESSION_SECONDS = 60.0


@dataclass(eq=False)
class _Waiter:
    ready: anyio.Event = field(default_factory=anyio.Event)
    node: KnownNode | None = None


class Placement:
    """Assigns opens to nodes."""

    def __init__(self, registry: Registry, queue_length: int) -> None:
        self._registry = registry
        self._queue_length = queue_length
        self._waiting: collections.deque[_Waiter] = collections.deque()

    @property
    def waiting(self) -> int:
        """Number of queued opens."""
        return len(self._waiting)

    def wake(self) -> None:
        """Assign free capacity to queued opens in FIFO order."""
        while self._waiting and (node := self._registry.emptiest()) is not None:
            waiter = self._waiting.popleft()
            # Counted here, not when the waiter runs: until then, the same slot would be given to others.
            node.opening += 1
            waiter.node = node
            waiter.ready.set()

    @asynccontextmanager
    async def place(self, wait_seconds: float) -> AsyncGenerator[KnownNode]:
        """Reserve capacity for one session on a node for the duration of the block; `CapacityError` on timeout."""
        waiter = _Waiter()
        self._waiting.append(waiter)
        self.wake()
        try:
            yield await self._node_for(waiter, wait_seconds)
        finally:
            if waiter.node is not None:
                waiter.node.opening -= 1
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            self.wake()

    async def _node_for(self, waiter: _Waiter, wait_seconds: float) -> KnownNode:
        if waiter.node is None and self.waiting > self._queue_length:
            raise CapacityError(
                f"the queue is full: {self._queue_length} requests already wait for a session",
                retry_after=self._retry_after(),
            )
        with anyio.move_on_after(wait_seconds):
            await waiter.ready.wait()
        # Looked at first, because a slot may be assigned at the very moment in which the time runs out.
        if waiter.node is not None:
            return waiter.node
        why = "all session slots are in use" if self._registry.nodes else "no node has joined"
        raise CapacityError(f"no free session slot after {wait_seconds:g} s: {why}", retry_after=self._retry_after())

    def _retry_after(self) -> float:
        capacity = sum(node.said.capacity for node in self._registry.nodes)
        return min(30.0, max(1.0, self.waiting * _TYPICAL_SESSION_SECONDS / max(1, capacity)))

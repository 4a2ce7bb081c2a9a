"""Load balancing of requests across servers.

Requests with the same affinity go to the same server, whose prefix cache holds the start of the prompt, as long as it
is healthy and not overloaded. Others go to the least loaded server.
"""

from __future__ import annotations

import hashlib
import math
from collections import deque
from collections.abc import Sequence

import anyio

from webgym.errors import PolicyUnavailable
from webgym.llm.server import ModelServer, RequestSlot

_SHARE = 1.25
_ALWAYS = 4
"""Affinity holds while a server has fewer than `_SHARE` times its fair share of requests, or than `_ALWAYS`."""


class _SlotWaiter:
    def __init__(self, affinity: str, avoid: frozenset[str]) -> None:
        self.affinity = affinity
        self.avoid = avoid
        self.place: RequestSlot | None = None
        self.nudged = anyio.Event()


class Servers:
    """Assigns requests to servers in FIFO order. Waits for: room on any server."""

    def __init__(self, servers: Sequence[ModelServer], most_waiting: int) -> None:
        self.all = tuple(servers)
        self._most_waiting = most_waiting
        self._waiting: deque[_SlotWaiter] = deque()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def has_room_besides(self, avoid: frozenset[str]) -> bool:
        """Return whether a server other than these could take a request at once."""
        return not self._waiting and any(server.has_room for server in self.all if server.url not in avoid)

    async def take(self, affinity: str, avoid: frozenset[str]) -> RequestSlot:
        """Wait for a place, to be returned with `give_back`; on a server in `avoid` only if no other has room.

        Raises:
            PolicyUnavailable: Too many requests are waiting.
        """
        self._hand_out()
        if not self._waiting and (server := self._choose(affinity, avoid)):
            return server.take()
        if len(self._waiting) >= self._most_waiting:
            raise PolicyUnavailable(f"{len(self._waiting)} requests are already queued: raise `waiting`")
        return await self._wait(_SlotWaiter(affinity, avoid))

    async def _wait(self, waiter: _SlotWaiter) -> RequestSlot:
        self._waiting.append(waiter)
        try:
            while waiter.place is None:
                # Read before `_hand_out`, so that a server that returns in between is not missed.
                pause = self._next_return()
                self._hand_out()
                with anyio.move_on_after(pause):
                    await waiter.nudged.wait()
                waiter.nudged = anyio.Event()
        except BaseException:
            if waiter.place is None:
                self._waiting.remove(waiter)
            else:
                self.give_back(waiter.place)
            raise
        finally:
            self._nudge()
        return waiter.place

    def give_back(self, place: RequestSlot) -> None:
        """Return a place, and hand it to the next waiter."""
        place.server.give_back(place)
        self._hand_out()
        self._nudge()

    def _nudge(self) -> None:
        """Wake the first waiter, which watches for servers to return, to recompute its timeout."""
        if self._waiting:
            self._waiting[0].nudged.set()

    def _hand_out(self) -> None:
        while self._waiting and (server := self._choose(self._waiting[0].affinity, self._waiting[0].avoid)):
            waiter = self._waiting.popleft()
            waiter.place = server.take()
            waiter.nudged.set()

    def _next_return(self) -> float:
        """Return the seconds until the next server that is set aside may get requests again."""
        return min((server.back_in for server in self.all if server.back_in > 0), default=math.inf)

    def _choose(self, affinity: str, avoid: frozenset[str]) -> ModelServer | None:
        free = [server for server in self.all if server.has_room]
        fresh = [server for server in free if server.url not in avoid] or free
        if not fresh:
            return None
        if affinity:
            bound = self._bound()
            ranked = sorted(fresh, key=lambda server: _weight(affinity, server.url), reverse=True)
            if within := next((server for server in ranked if server.in_flight < bound), None):
                return within
        return min(fresh, key=lambda server: server.in_flight)

    def _bound(self) -> int:
        well = [server for server in self.all if server.state == "healthy"]
        load = sum(server.in_flight for server in well) + 1
        return max(_ALWAYS, math.ceil(_SHARE * load / max(1, len(well))))


def _weight(affinity: str, url: str) -> bytes:
    """Rendezvous hashing: when a server leaves or returns, only its own requests move."""
    return hashlib.blake2b(f"{affinity}\0{url}".encode(errors="replace"), digest_size=8).digest()

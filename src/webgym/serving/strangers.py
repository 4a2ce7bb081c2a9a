"""Connections whose peer has not shown a token yet: bounded, so that they cannot use up what everybody needs.

A new connection is never refused. It takes the place of the oldest stranger, of the same address if that has too many:
who has a token shows it with the first bytes, and is no stranger any more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from starlette.types import Scope

_EXTENSION = "webgym.admit"


class Stranger(Protocol):
    """A connection."""

    @property
    def busy(self) -> bool:
        """Whether the server, and not its peer, is what it waits for."""
        ...

    def evict(self) -> None:
        """Close it at once."""
        ...


class Strangers:
    """The connections of strangers, oldest first.

    Args:
        most: How many there may be.
        most_of_one: How many of them may come from one address.
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._by_peer: dict[str, OrderedDict[Stranger, None]] = {}
        self._peers: dict[Stranger, str] = {}

    def __len__(self) -> int:
        return len(self._peers)

    def add(self, one: Stranger, peer: str) -> None:
        """Add a connection; evict another if there are too many."""
        self._peers[one] = peer
        here = self._by_peer.setdefault(peer, OrderedDict())
        here[one] = None
        if len(here) > self._most_of_one:
            self._evict_from(here)
        elif len(self) > self._most:
            self._evict_from(max(self._by_peer.values(), key=len))

    def discard(self, one: Stranger) -> None:
        """Forget a connection that has closed, or whose peer is no stranger any more."""
        peer = self._peers.pop(one, None)
        if peer is None:
            return
        here = self._by_peer[peer]
        del here[one]
        if not here:
            del self._by_peer[peer]

    def _evict_from(self, some: OrderedDict[Stranger, None]) -> None:
        oldest = next((connection for connection in some if not connection.busy), next(iter(some)))
        self.discard(oldest)
        oldest.evict()


def extension(admit: Callable[[], None]) -> dict[str, object]:
    """Return the ASGI extension by which an application admits the peer of a request."""
    return {_EXTENSION: admit}


def admit(scope: Scope) -> None:
    """Tell the server that this request's peer has shown its token. Does nothing under other servers."""
    told = scope.get("extensions", {}).get(_EXTENSION)
    if told is not None:
        told()

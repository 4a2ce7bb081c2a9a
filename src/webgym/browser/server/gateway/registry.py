"""Which nodes there are and what they hold. All of it is told anew every second, so a restart loses nothing.

A node that falls silent is dropped and its epoch remembered: if it wakes, it is told to give up its old leases.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
import msgspec

from webgym.browser import wire
from webgym.errors import LossReason, SessionLost, SessionUnknown, WebGymError
from webgym.records.event import NodeDropped, NodeJoined
from webgym.stages import Events

_REMEMBERED = 16_384


@dataclass
class KnownNode:
    """A node and its latest announcement."""

    said: wire.Announcement
    heard_at: float
    opening: int = 0
    """Opens under way that the latest announcement may not count yet."""

    gone: anyio.Event = field(default_factory=anyio.Event)
    """Set when it is dropped."""

    @property
    def room(self) -> int:
        """Sessions it would still take."""
        return self.said.free - self.opening


class Registry:
    """What the gateway knows."""

    def __init__(self, silent_seconds: float, events: Events, clock: Callable[[], float] = time.monotonic) -> None:
        self._silent_seconds = silent_seconds
        self._events = events
        self._clock = clock
        self._nodes: dict[str, KnownNode] = {}
        self._places: dict[str, str] = {}
        self._ended: collections.OrderedDict[str, WebGymError] = collections.OrderedDict()
        self._fenced: set[tuple[str, str]] = set()

    @property
    def nodes(self) -> list[KnownNode]:
        """Nodes that are heard from."""
        return list(self._nodes.values())

    @property
    def sessions(self) -> int:
        """Sessions held by all nodes."""
        return len(self._places)

    def hear(self, said: wire.Announcement) -> bool:
        """Take an announcement in; False if this epoch of the node was declared gone."""
        if (said.node, said.epoch) in self._fenced:
            return False
        known = self._nodes.get(said.node)
        if known is not None and known.said.epoch != said.epoch:
            self._drop(known, "it came back with a new epoch")
            known = None
        if said.leaving:
            if known is not None:
                self._drop(known, "it left", fence=False)
            return True
        if known is None:
            known = self._nodes[said.node] = KnownNode(said, self._clock())
            self._events.emit(NodeJoined(node=said.node, url=said.url, capacity=said.capacity))
        self._update(known, said)
        return True

    def _update(self, known: KnownNode, said: wire.Announcement) -> None:
        for session in known.said.sessions.keys() - said.sessions.keys():
            self._places.pop(session, None)
        for session in said.sessions:
            self._places[session] = said.node
        for session, why in said.ended.items():
            self._remember(session, wire.error_from(why))
        known.said = said
        known.heard_at = self._clock()

    def placed(self, session: str, node: KnownNode) -> None:
        """A session was opened there; the node's next announcement will say so too."""
        self._places[session] = node.said.node
        sessions = {**node.said.sessions, session: 1}
        node.said = msgspec.structs.replace(node.said, sessions=sessions, free=node.said.free - 1)

    def is_full(self, node: KnownNode) -> None:
        """It refused an open: ask again only after its next announcement."""
        node.said = msgspec.structs.replace(node.said, free=0)

    def drop_silent(self) -> None:
        """Declare nodes gone that have not been heard from for too long."""
        for known in self.nodes:
            silent = self.silence(known)
            if silent > self._silent_seconds:
                self._drop(known, f"it was silent for {silent:.1f} s")

    def _drop(self, known: KnownNode, why: str, *, fence: bool = True) -> None:
        node = self._nodes.pop(known.said.node)
        node.gone.set()
        if fence:
            self._fenced.add((node.said.node, node.said.epoch))
        lost = [session for session, place in self._places.items() if place == node.said.node]
        for session in lost:
            del self._places[session]
            message = f"session {session[:8]}: its node {node.said.node} is gone: {why}"
            self._remember(session, SessionLost(message, reason=LossReason.NODE_LOST))
        self._events.emit(NodeDropped(node=node.said.node, sessions=len(lost), why=why))

    def _remember(self, session: str, why: WebGymError) -> None:
        self._ended[session] = why
        self._ended.move_to_end(session)
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)

    def node_of(self, session: str) -> KnownNode:
        """The node that holds a session; raises why it is no more."""
        node = self._nodes.get(self._places.get(session, ""))
        if node is None:
            raise self._ended.get(session) or SessionUnknown(f"there is no session {session[:8]}")
        return node

    def emptiest(self) -> KnownNode | None:
        """A node with room, the one with most of it."""
        best = max(self._nodes.values(), key=lambda node: node.room, default=None)
        return best if best is not None and best.room > 0 else None

    def silence(self, known: KnownNode) -> float:
        """Seconds since it was last heard from."""
        return self._clock() - known.heard_at

    def status(self, waiting: int, version: str) -> wire.FleetStatus:
        """The fleet at a glance."""
        nodes = tuple(
            wire.NodeStatus(
                node=known.said.node,
                url=known.said.url,
                capacity=known.said.capacity,
                free=known.said.free,
                sessions=len(known.said.sessions),
                silent_seconds=round(self.silence(known), 2),
                load=known.said.load,
            )
            for known in self._nodes.values()
        )
        return wire.FleetStatus(
            nodes=nodes,
            capacity=sum(node.capacity for node in nodes),
            sessions=self.sessions,
            waiting=waiting,
            version=version,
        )

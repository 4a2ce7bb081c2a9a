"""The registry of nodes and their sessions. Nodes announce all of it about once a second, so restarts lose nothing.

A node that falls silent is dropped and its epoch fenced: if it resumes, it is told to give up its old leases. Until the
gateway has been up for that silence limit, a session it has not heard of may still exist.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
import msgspec

from webgym.browser import wire
from webgym.errors import LossReason, SessionLost, SessionUnknown, TransportError, WebGymError
from webgym.records.event import NodeDropped, NodeJoined
from webgym.stages import Events

_REMEMBERED = 16_384


@dataclass
class KnownNode:
    """A registered node and its latest announcement."""

    said: wire.Announcement
    heard_at: float
    opening: int = 0
    """Opens in flight, which the latest announcement may not include yet."""
    unannounced: set[str] = field(default_factory=set[str])
    """Sessions opened since its latest announcement."""
    gone: anyio.Event = field(default_factory=anyio.Event)
    """Set when the node is dropped."""

    @property
    def room(self) -> int:
        """Number of further sessions it would admit."""
        return self.said.free - self.opening


class Registry:
    """Tracks nodes and sessions from the nodes' announcements."""

    def __init__(self, silent_seconds: float, events: Events, clock: Callable[[], float] = time.monotonic) -> None:
        self._silent_seconds = silent_seconds
        self._events = events
        self._clock = clock
        self._born_at = clock()
        self._heard = anyio.Event()
        """Set, and replaced, by each announcement."""
        self._nodes: dict[str, KnownNode] = {}
        self._places: dict[str, str] = {}
        self._ended: collections.OrderedDict[str, WebGymError] = collections.OrderedDict()
        self._fenced: set[tuple[str, str]] = set()

    @property
    def nodes(self) -> list[KnownNode]:
        """The registered nodes."""
        return list(self._nodes.values())

    @property
    def sessions(self) -> int:
        """Number of sessions on all nodes."""
        return len(self._places)

    def hear(self, said: wire.Announcement) -> bool:
        """Process an announcement; return False if this epoch of the node is fenced."""
        # Its sessions were declared lost, and their holders may have begun anew: served again, they would have two.
        if (said.node, said.epoch) in self._fenced:
            return False
        known = self._nodes.get(said.node)
        # A new epoch is a node's word that it gave up everything, whether it was restarted or frozen.
        if known is not None and known.said.epoch != said.epoch:
            self._drop(known, "it came back with a new epoch")
            known = None
        if said.leaving:
            # It closed its sessions itself: there is nothing to fence, and it may come back as it is.
            if known is not None:
                self._update(known, said)
                self._drop(known, "it left", fence=False)
            return True
        if known is None:
            known = self._nodes[said.node] = KnownNode(said, self._clock())
            self._events.emit(NodeJoined(node=said.node, url=said.url, capacity=said.capacity))
        self._update(known, said)
        self._heard.set()
        self._heard = anyio.Event()
        return True

    def _update(self, known: KnownNode, said: wire.Announcement) -> None:
        missing = known.said.sessions.keys() - said.sessions.keys()
        # Sessions opened while this announcement was in transit will be in the next one.
        crossed = {session: known.said.sessions[session] for session in missing & known.unannounced - said.ended.keys()}
        known.unannounced.clear()
        for session in missing - crossed.keys():
            self._places.pop(session, None)
            self._remember(session, _unknown(session))  # released, unless `said.ended` gives another reason below
        for session in said.sessions:
            self._places[session] = said.node
        for session, why in said.ended.items():
            self._remember(session, wire.error_from(why))
        known.said = msgspec.structs.replace(said, sessions=said.sessions | crossed) if crossed else said
        known.heard_at = self._clock()

    def placed(self, session: str, node: KnownNode) -> None:
        """Record a session that was just opened on a node, ahead of the node's next announcement.

        Raises:
            TransportError: The node has been dropped meanwhile, and the session with it.
        """
        # It was dropped while it opened: this session was not among those that were declared lost.
        if node.gone.is_set():
            raise TransportError(f"node {node.said.node} is gone")
        if session in node.said.sessions:
            return  # already announced, before the open's response arrived
        self._places[session] = node.said.node
        node.unannounced.add(session)
        sessions = {**node.said.sessions, session: 1}
        node.said = msgspec.structs.replace(node.said, sessions=sessions, free=node.said.free - 1)

    def is_full(self, node: KnownNode) -> None:
        """Stop placing sessions on a node that failed to open one, until its next announcement."""
        node.said = msgspec.structs.replace(node.said, free=0)

    def drop_silent(self, late_seconds: float = 0.0) -> None:
        """Drop nodes that have been silent for too long.

        `late_seconds`: how long the gateway itself did not run. Announcements from that time are still unread, so it
        does not count as silence of the nodes.
        """
        for known in self.nodes:
            known.heard_at = min(known.heard_at + late_seconds, self._clock())
            silent = self.silence(known)
            if silent > self._silent_seconds:
                self._drop(known, f"it was silent for {silent:.1f} s")

    def _drop(self, known: KnownNode, why: str, *, fence: bool = True) -> None:
        node = self._nodes.pop(known.said.node)
        node.gone.set()
        if fence:
            # For as long as the gateway lives: a frozen node may come back after any time.
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
        """Return a session's node; raise why the session ended, or `TransportError` while that is not known yet."""
        node = self._nodes.get(self._places.get(session, ""))
        if node is not None:
            return node
        if session in self._ended:
            raise self._ended[session]
        # Holders take "unknown" as final, so it is not said before every node had time to announce its sessions.
        if self._unsure_seconds > 0:
            raise TransportError("the gateway has just started, and has not heard from all nodes yet")
        raise _unknown(session)

    async def find(self, session: str) -> KnownNode:
        """Like `node_of`, but while the gateway has just started, wait for the session to be announced."""
        while (seconds := self._unsure_seconds) > 0 and session not in self._places and session not in self._ended:
            with anyio.move_on_after(seconds):
                await self._heard.wait()
        return self.node_of(session)

    @property
    def _unsure_seconds(self) -> float:
        """Remaining time in which nodes with sessions may not have announced themselves to a new gateway."""
        return self._born_at + self._silent_seconds - self._clock()

    def emptiest(self) -> KnownNode | None:
        """Return the node with the most free capacity; None if all are full."""
        best = max(self._nodes.values(), key=lambda node: node.room, default=None)
        return best if best is not None and best.room > 0 else None

    def silence(self, known: KnownNode) -> float:
        """Return the seconds since the node's latest announcement."""
        return self._clock() - known.heard_at

    def status(self, waiting: int, version: str) -> wire.FleetStatus:
        """Return a summary of the fleet."""
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


def _unknown(session: str) -> SessionUnknown:
    return SessionUnknown(f"there is no session {session[:8]}")

"""Renews leases between steps: one small request per node, three times per lease lifetime."""

from __future__ import annotations

import collections
import logging

import anyio

from webgym.browser import wire
from webgym.browser.client.session import RemoteSession
from webgym.browser.client.transport import Transport
from webgym.errors import SessionError, WebGymError

logger = logging.getLogger(__name__)

_SECONDS = 2.0


class Heartbeat:
    """Renews the leases of all sessions of a client."""

    def __init__(self, transport: Transport, ttl_seconds: float) -> None:
        self._transport = transport
        self._interval = ttl_seconds / 3
        self._sessions: dict[str, RemoteSession] = {}

    def add(self, session: RemoteSession) -> None:
        """Start renewing this session's lease."""
        self._sessions[session.name] = session

    def remove(self, session: RemoteSession) -> None:
        """Stop renewing this session's lease."""
        self._sessions.pop(session.name, None)

    async def run(self) -> None:
        """Renew until cancelled."""
        while True:
            await anyio.sleep(self._interval)
            by_ways: dict[tuple[str, ...], list[wire.LeaseKey]] = collections.defaultdict(list)
            for session in self._sessions.values():
                by_ways[session.ways].append(session.holding)
            async with anyio.create_task_group() as tasks:
                for ways, holdings in by_ways.items():
                    tasks.start_soon(self._renew, ways, tuple(holdings))

    async def _renew(self, ways: tuple[str, ...], holdings: tuple[wire.LeaseKey, ...]) -> None:
        body = wire.encode(wire.RenewRequest(holdings))
        for base in ways:  # renewal is idempotent
            try:
                answer = await self._transport.send("POST", f"{base}/v1/renew", body, seconds=_SECONDS)
                self._note(wire.decode(wire.RenewReply, answer).lost)
            except WebGymError as error:
                logger.debug("leases at %s were not renewed: %s", base, error)
            else:
                return

    def _note(self, lost: dict[str, wire.ErrorBody]) -> None:
        for name, why in lost.items():
            error = wire.error_from(why)
            session = self._sessions.get(name)
            # A gateway that has just started may not know the session yet: its TransportError does not end the session.
            if session is not None and isinstance(error, SessionError):
                session.lose(error)

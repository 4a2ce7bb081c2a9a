"""Keeps leases alive while their holder thinks: one small request per node, three times in a lease's life."""

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
    """Renews the leases of all sessions of one client."""

    def __init__(self, transport: Transport, ttl_seconds: float) -> None:
        self._transport = transport
        self._interval = ttl_seconds / 3
        self._sessions: dict[str, RemoteSession] = {}

    def add(self, session: RemoteSession) -> None:
        """Renew this session's lease from now on."""
        self._sessions[session.name] = session

    def remove(self, session: RemoteSession) -> None:
        """Leave it alone."""
        self._sessions.pop(session.name, None)

    async def run(self) -> None:
        """Renew until cancelled."""
        while True:
            await anyio.sleep(self._interval)
            by_ways: dict[tuple[str, ...], list[wire.Holding]] = collections.defaultdict(list)
            for session in self._sessions.values():
                by_ways[session.ways].append(session.holding)
            async with anyio.create_task_group() as tasks:
                for ways, holdings in by_ways.items():
                    tasks.start_soon(self._renew, ways, tuple(holdings))

    async def _renew(self, ways: tuple[str, ...], holdings: tuple[wire.Holding, ...]) -> None:
        body = wire.encode(wire.RenewRequest(holdings))
        for base in ways:  # to renew twice does no harm
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
            # A gateway that has just started may not know yet who holds the session: that takes nothing from it.
            if session is not None and isinstance(error, SessionError):
                session.lose(error)

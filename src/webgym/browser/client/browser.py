"""A remote fleet as a `Browser`."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from webgym.browser import wire
from webgym.browser.client.heartbeat import Heartbeat
from webgym.browser.client.session import RemoteSession
from webgym.browser.client.transport import Transport, UnreachableError, open_transport
from webgym.browser.tokens import load_tokens
from webgym.concurrency import background
from webgym.errors import CapacityError, ConfigError, TransportError
from webgym.records.session import SessionSpec

DEFAULT_URL = "http://127.0.0.1:7000"
_SLACK_SECONDS = 70.0
"""Allowance on top of the queueing time, for launching a browser and loading the first page."""
_RETRY_SECONDS = 0.25


class BrowserClient:
    """Opens sessions on a fleet. Created by `connect`."""

    def __init__(self, transport: Transport, url: str, ttl_seconds: float, deadline_seconds: float) -> None:
        self._transport = transport
        self._url = url
        self._ttl = ttl_seconds
        self._deadline = deadline_seconds
        self._heartbeat = Heartbeat(transport, ttl_seconds)

    def open(
        self, spec: SessionSpec = SessionSpec(), *, wait_seconds: float = 30.0
    ) -> AbstractAsyncContextManager[RemoteSession]:
        """Open a session for the duration of the block; `CapacityError` if none is free within `wait_seconds`."""
        return self._open(spec, wait_seconds)

    @asynccontextmanager
    async def _open(self, spec: SessionSpec, wait_seconds: float) -> AsyncGenerator[RemoteSession]:
        lease = await self._lease(spec, wait_seconds)
        session = RemoteSession(self._transport, self._url, lease, self._deadline)
        self._heartbeat.add(session)
        try:
            yield session
        finally:
            self._heartbeat.remove(session)
            await session.release()

    async def _lease(self, spec: SessionSpec, wait_seconds: float) -> wire.Lease:
        give_up = anyio.current_time() + wait_seconds
        while True:
            left = max(0.0, give_up - anyio.current_time())
            order = wire.OpenRequest(spec, ttl_seconds=self._ttl, wait_seconds=left)
            try:
                url = f"{self._url}/v1/sessions"
                answer = await self._transport.send("POST", url, wire.encode(order), seconds=left + _SLACK_SECONDS)
                return wire.decode(wire.Lease, answer)
            except CapacityError as refusal:
                # When the queue is full the refusal is immediate, so retry; after waiting in the queue no time is left.
                pause = min(refusal.retry_after, give_up - anyio.current_time())
                if pause <= 0:
                    raise
            except TransportError as error:
                # The gateway may be restarting. If it did open a session, that one closes when its lease expires.
                pause = _RETRY_SECONDS
                if anyio.current_time() + pause > give_up:
                    raise _explained(error, self._url) from error
            await anyio.sleep(pause)

    async def status(self) -> wire.FleetStatus:
        """Return a summary of the fleet."""
        try:
            answer = await self._transport.send("GET", f"{self._url}/v1/status", seconds=10.0)
        except TransportError as error:
            raise _explained(error, self._url) from error
        return wire.decode(wire.FleetStatus, answer)

    async def keep_alive(self) -> None:
        """Renew the leases of all open sessions until cancelled."""
        await self._heartbeat.run()


def _explained(error: TransportError, url: str) -> TransportError:
    if isinstance(error, UnreachableError):
        return UnreachableError(f"no fleet answers at {url}; start one with 'webgym serve' ({error})")
    return error


@asynccontextmanager
async def connect(
    url: str = "",
    *,
    token: str = "",
    authority: str = "",
    ttl_seconds: float = 10.0,
    deadline_seconds: float = wire.DEFAULT_DEADLINE_SECONDS,
) -> AsyncGenerator[BrowserClient]:
    """Connect to a fleet.

    Args:
        url: URL of the gateway; defaults to `WEBGYM_URL`, then to a gateway on this machine.
        token: The fleet's client token; defaults to `WEBGYM_TOKEN`, then to this user's own.
        authority: CA certificates used to verify the fleet; defaults to the system's.
        ttl_seconds: How long sessions outlive a client that is killed. A live client renews its leases.
        deadline_seconds: Deadline of each step.

    Raises:
        ConfigError: The URL or the authority is invalid.
    """
    url = (url or os.environ.get("WEBGYM_URL") or DEFAULT_URL).rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"invalid fleet URL {url!r}: it must look like {DEFAULT_URL}, or start with https://")
    token = token or os.environ.get("WEBGYM_TOKEN") or load_tokens().client
    async with open_transport(token, authority) as transport, background() as tasks:
        browser = BrowserClient(transport, url, ttl_seconds, deadline_seconds)
        tasks.start_soon(browser.keep_alive)
        yield browser

"""A fleet as a `Browser`."""

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
"""On top of the time in the queue: starting a browser and loading the first page."""
_RETRY_SECONDS = 0.25


class BrowserClient:
    """Gives out sessions of a fleet. Made by `connect`."""

    def __init__(self, transport: Transport, url: str, ttl_seconds: float, deadline_seconds: float) -> None:
        self._transport = transport
        self._url = url
        self._ttl = ttl_seconds
        self._deadline = deadline_seconds
        self._heartbeat = Heartbeat(transport, ttl_seconds)

    def open(
        self, spec: SessionSpec = SessionSpec(), *, wait_seconds: float = 30.0
    ) -> AbstractAsyncContextManager[RemoteSession]:
        """A session that lasts as long as the block. `CapacityError` if there is no room after `wait_seconds`."""
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
                # A full queue is refused at once; a session that had to wait in it has used up its time.
                pause = min(refusal.retry_after, give_up - anyio.current_time())
                if pause <= 0:
                    raise
            except TransportError as error:
                # The gateway restarts. A session it may have opened is closed when its lease runs out.
                pause = _RETRY_SECONDS
                if anyio.current_time() + pause > give_up:
                    raise _explained(error, self._url) from error
            await anyio.sleep(pause)

    async def status(self) -> wire.FleetStatus:
        """The fleet at a glance."""
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
    """A fleet's sessions.

    Args:
        url: The gateway; `WEBGYM_URL` or this machine's by default.
        token: What the fleet's clients use; `WEBGYM_TOKEN` or this user's own by default.
        authority: Certificate authority with which the fleet's certificates are checked; the system's by default.
        ttl_seconds: How long sessions outlive a client that is killed. They are renewed while it lives.
        deadline_seconds: Longest time for one step.

    Raises:
        ConfigError: The URL or the authority cannot be used.
    """
    url = (url or os.environ.get("WEBGYM_URL") or DEFAULT_URL).rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"the fleet's URL is {url!r}; it has to begin like {DEFAULT_URL}, or with https://")
    token = token or os.environ.get("WEBGYM_TOKEN") or load_tokens().client
    async with open_transport(token, authority) as transport, background() as tasks:
        browser = BrowserClient(transport, url, ttl_seconds, deadline_seconds)
        tasks.start_soon(browser.keep_alive)
        yield browser

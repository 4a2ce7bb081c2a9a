"""Synchronous client, for notebooks and scripts. An event loop in a background thread renews the leases."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from anyio.from_thread import BlockingPortal, start_blocking_portal

from webgym.browser import wire
from webgym.browser.client.browser import BrowserClient, connect
from webgym.browser.client.session import RemoteSession
from webgym.records.action import Action
from webgym.records.observation import Capture
from webgym.records.session import Look, SessionSpec


class SyncSession:
    """Synchronous counterpart of `RemoteSession`."""

    def __init__(self, portal: BlockingPortal, session: RemoteSession) -> None:
        self._portal = portal
        self._session = session

    @property
    def name(self) -> str:
        """The session id. Anyone who knows it and the client token can use the session."""
        return self._session.name

    def step(self, action: Action | None, look: Look = Look()) -> Capture:
        """Act, let the page settle and observe, in one round trip."""
        return self._portal.call(self._session.step, action, look)

    def observe(self, look: Look = Look()) -> Capture:
        """Observe without acting."""
        return self._portal.call(self._session.observe, look)

    def act(self, action: Action) -> Capture:
        """Act without settling or capturing; the observation has no screenshot."""
        return self._portal.call(self._session.act, action)

    def blob(self, address: str) -> bytes:
        """Return the bytes of a recent screenshot or a download."""
        return self._portal.call(self._session.blob, address)


class SyncBrowser:
    """Synchronous counterpart of `BrowserClient`. Created by `connect_sync`."""

    def __init__(self, portal: BlockingPortal, browser: BrowserClient) -> None:
        self._portal = portal
        self._browser = browser

    @contextmanager
    def open(self, spec: SessionSpec = SessionSpec(), *, wait_seconds: float = 30.0) -> Generator[SyncSession]:
        """Open a session for the duration of the block; `CapacityError` if none is free within `wait_seconds`."""
        opening = self._browser.open(spec, wait_seconds=wait_seconds)
        with self._portal.wrap_async_context_manager(opening) as session:
            yield SyncSession(self._portal, session)

    def status(self) -> wire.FleetStatus:
        """Return a summary of the fleet."""
        return self._portal.call(self._browser.status)


@contextmanager
def connect_sync(
    url: str = "",
    *,
    token: str = "",
    authority: str = "",
    ttl_seconds: float = 10.0,
    deadline_seconds: float = wire.DEFAULT_DEADLINE_SECONDS,
) -> Generator[SyncBrowser]:
    """Connect to a fleet from code without an event loop. Takes the same options as `connect`."""
    client = connect(url, token=token, authority=authority, ttl_seconds=ttl_seconds, deadline_seconds=deadline_seconds)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as browser:
        yield SyncBrowser(portal, browser)

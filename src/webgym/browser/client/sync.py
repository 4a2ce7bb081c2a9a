"""The same sessions without `await`, for notebooks and scripts. Leases are renewed by a thread of its own."""

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
    """A session whose methods return when they are done."""

    def __init__(self, portal: BlockingPortal, session: RemoteSession) -> None:
        self._portal = portal
        self._session = session

    @property
    def name(self) -> str:
        """The session's id. Whoever knows it and the token can use the session."""
        return self._session.name

    def step(self, action: Action | None, look: Look = Look()) -> Capture:
        """Act, let the page come to rest, observe: one round trip."""
        return self._portal.call(self._session.step, action, look)

    def observe(self, look: Look = Look()) -> Capture:
        """Look without acting."""
        return self._portal.call(self._session.observe, look)

    def act(self, action: Action) -> Capture:
        """Act without waiting or looking; the observation has no screenshot."""
        return self._portal.call(self._session.act, action)

    def blob(self, address: str) -> bytes:
        """The bytes of a recent screenshot or a download."""
        return self._portal.call(self._session.blob, address)


class SyncBrowser:
    """Gives out sessions. Made by `connect_sync`."""

    def __init__(self, portal: BlockingPortal, browser: BrowserClient) -> None:
        self._portal = portal
        self._browser = browser

    @contextmanager
    def open(self, spec: SessionSpec = SessionSpec(), *, wait_seconds: float = 30.0) -> Generator[SyncSession]:
        """A session that lasts as long as the block. `CapacityError` if there is no room after `wait_seconds`."""
        opening = self._browser.open(spec, wait_seconds=wait_seconds)
        with self._portal.wrap_async_context_manager(opening) as session:
            yield SyncSession(self._portal, session)

    def status(self) -> wire.FleetStatus:
        """The fleet at a glance."""
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
    """A fleet's sessions, for code without an event loop. The options are those of `connect`."""
    client = connect(url, token=token, authority=authority, ttl_seconds=ttl_seconds, deadline_seconds=deadline_seconds)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as browser:
        yield SyncBrowser(portal, browser)

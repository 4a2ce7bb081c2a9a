"""The same sessions without `await`, for notebooks and scripts. Leases are renewed by a thread of its own."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from anyio.from_thread import BlockingPortal, start_blocking_portal

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

    def step(self, action: Action | None, look: Look = Look()) -> Capture:
        """Act, let the page come to rest, observe."""
        return self._portal.call(self._session.step, action, look)

    def observe(self, look: Look = Look()) -> Capture:
        """Look without acting."""
        return self.step(None, look)

    def blob(self, address: str) -> bytes:
        """The bytes of a recent screenshot or a download."""
        return self._portal.call(self._session.blob, address)


class SyncBrowser:
    """Gives out sessions. Made by `connect_sync`."""

    def __init__(self, portal: BlockingPortal, browser: BrowserClient) -> None:
        self._portal = portal
        self._browser = browser

    @contextmanager
    def open(self, spec: SessionSpec = SessionSpec()) -> Generator[SyncSession]:
        """A session that lasts as long as the block."""
        with self._portal.wrap_async_context_manager(self._browser.open(spec)) as session:
            yield SyncSession(self._portal, session)


@contextmanager
def connect_sync(url: str = "", *, token: str = "", authority: str = "") -> Generator[SyncBrowser]:
    """A fleet's sessions, for code without an event loop."""
    client = connect(url, token=token, authority=authority)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as browser:
        yield SyncBrowser(portal, browser)

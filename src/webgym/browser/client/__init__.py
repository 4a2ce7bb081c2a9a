"""Client of a browser fleet. Needs neither Playwright nor a local browser."""

from webgym.browser.client.browser import BrowserClient, connect
from webgym.browser.client.session import RemoteSession
from webgym.browser.client.sync import SyncBrowser, SyncSession, connect_sync

__all__ = ["BrowserClient", "RemoteSession", "SyncBrowser", "SyncSession", "connect", "connect_sync"]

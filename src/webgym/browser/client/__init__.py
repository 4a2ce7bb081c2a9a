"""Sessions on a fleet, from anywhere: no Playwright, no browser needed here."""

from webgym.browser.client.browser import BrowserClient, connect
from webgym.browser.client.session import RemoteSession

__all__ = ["BrowserClient", "RemoteSession", "connect"]

"""Input events sent one behind the other without waiting in between: the browser keeps their order."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import Call
from webgym.browser.server.chromium.tab import TabHandle

Message = Call
"""A CDP method and its parameters."""


async def send_all(tab: TabHandle, messages: Sequence[Message]) -> None:
    """Returns when the page has handled the last one, or is no longer there to do so."""
    try:
        await tab.cdp.send_all(messages)
    except Error:
        # What the events did may have closed the tab: that is their effect, not a failure.
        if not tab.page.is_closed():
            raise

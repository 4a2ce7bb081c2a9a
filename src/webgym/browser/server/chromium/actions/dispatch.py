"""Dispatches input events in a pipeline, without waiting in between: the browser keeps their order."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import Call
from webgym.browser.server.chromium.tab import TabHandle

Message = Call
"""A CDP method and its parameters."""


async def send_all(tab: TabHandle, messages: Sequence[Message]) -> None:
    """Send messages, and return when the page has handled the last one or has been closed."""
    try:
        await tab.cdp.send_all(messages)
    except Error:
        # The events may have closed the tab: that is their effect, not a failure.
        if not tab.page.is_closed():
            raise

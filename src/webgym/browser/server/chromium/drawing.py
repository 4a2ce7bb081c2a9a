"""Finds the page that keeps the browser from drawing the others.

Chromium draws the pages of all sessions in one thread. A page with hundreds of blurred layers takes it for seconds at a
time, and no event tells which page it is. So, when a picture is late, every page in front is asked how much it filters.
"""

from __future__ import annotations

from collections.abc import Iterable

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.frame_calls import expression
from webgym.browser.server.chromium.tabs import OpenTab

MOST_FILTERED = 25.0
"""Viewports of filtered elements that no honest page has."""
ANSWER_SECONDS = 2.0


async def burdensome(tabs: Iterable[OpenTab]) -> list[OpenTab]:
    """Return the tabs whose pages are drawn through too many filters."""
    found: list[OpenTab] = []

    async def ask(tab: OpenTab) -> None:
        with anyio.move_on_after(ANSWER_SECONDS):
            try:
                reply = await tab.handle.cdp.send(
                    "Runtime.evaluate", {"expression": expression(tab.handle, "filtered")}
                )
            except Error:
                return  # the page is gone
            share = reply["result"].get("value")
            if isinstance(share, int | float) and share > MOST_FILTERED:
                found.append(tab)

    async with anyio.create_task_group() as tasks:
        for tab in tabs:
            tasks.start_soon(ask, tab)
    return found

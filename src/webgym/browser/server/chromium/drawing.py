"""Finds the page that keeps the browser from drawing the others.

Chromium draws the pages of all sessions in one thread. A page with hundreds of blurred layers takes it for seconds at a
time, and no event tells which page it is. So, when a picture is late, every page in front is asked how much it filters.
"""

from __future__ import annotations

from collections.abc import Iterable

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.frame_calls import expression
from webgym.browser.server.chromium.tabs import Tabs

MOST_FILTERED = 25.0
"""Viewports of filtered elements that no honest page has."""
ANSWER_SECONDS = 4.0


async def burdensome(sessions: Iterable[Tabs]) -> list[Tabs]:
    """Return the sessions whose page in front is drawn through too many filters."""
    found: list[Tabs] = []

    async def ask(tabs: Tabs) -> None:
        tab = tabs.active
        if tab is None or tab.gone:
            return
        with anyio.move_on_after(ANSWER_SECONDS):
            try:
                reply = await tab.handle.cdp.send(
                    "Runtime.evaluate", {"expression": expression(tab.handle, "filtered")}
                )
            except Error:
                return  # the page is gone
            share = reply["result"].get("value")
            if isinstance(share, int | float) and share > MOST_FILTERED:
                found.append(tabs)

    async with anyio.create_task_group() as tasks:
        for tabs in sessions:
            tasks.start_soon(ask, tabs)
    return found

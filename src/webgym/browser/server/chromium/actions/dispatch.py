"""Input events sent one behind the other without waiting in between: the browser keeps their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.tab import TabHandle

Message = tuple[str, dict[str, Any]]
"""A CDP method and its parameters."""


async def send_all(tab: TabHandle, messages: Sequence[Message]) -> None:
    """Returns when the page has handled the last one, or is no longer there to do so."""
    cdp = tab.cdp
    errors: list[Error] = []

    async def send(method: str, parameters: dict[str, Any]) -> None:
        try:
            await cdp.send(method, parameters)
        except Error as error:
            errors.append(error)

    async with anyio.create_task_group() as tasks:
        for method, parameters in messages:
            tasks.start_soon(send, method, parameters)
    # What the events did may have closed the tab: that is their effect, not a failure.
    if errors and not tab.page.is_closed():
        raise errors[0]

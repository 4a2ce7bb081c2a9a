"""Every interactive element of a page, also those out of sight: for oracles, which know their sites."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import Element


async def collect(tab: TabHandle) -> tuple[Element, ...]:
    """The elements of the main frame, in document order."""
    cdp = tab.cdp
    reply = await cdp.send("Runtime.evaluate", {"expression": _script(), "returnByValue": True})
    text = reply["result"].get("value")
    return msgspec.json.decode(text, type=tuple[Element, ...]) if isinstance(text, str) else ()


@cache
def _script() -> str:
    folder = files("webgym.browser.server.chromium") / "scripts"
    return folder.joinpath("elements.js").read_text(encoding="utf-8")

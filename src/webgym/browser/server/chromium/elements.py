"""All interactive elements of a page, visible or not. For oracles, which know their sites."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from webgym.browser.server.chromium.frame_calls import read
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import Element

_decoder = msgspec.json.Decoder(tuple[Element, ...])


async def collect(tab: TabHandle) -> tuple[Element, ...]:
    """Return the elements of the main frame, in document order."""
    return await read(tab, _script(), _decoder) or ()


@cache
def _script() -> str:
    folder = files("webgym.browser.server.chromium") / "scripts"
    return folder.joinpath("elements.js").read_text(encoding="utf-8")

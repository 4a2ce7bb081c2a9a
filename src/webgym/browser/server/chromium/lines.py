"""All lines of text of a page, visible or not. For training a model to read."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from webgym.browser.server.chromium.frame_calls import read
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import TextLine

_decoder = msgspec.json.Decoder(tuple[TextLine, ...])


async def collect(tab: TabHandle) -> tuple[TextLine, ...]:
    """Return the lines of the main frame, in document order."""
    return await read(tab, _script(), _decoder) or ()


@cache
def _script() -> str:
    folder = files("webgym.browser.server.chromium") / "scripts"
    return folder.joinpath("lines.js").read_text(encoding="utf-8")

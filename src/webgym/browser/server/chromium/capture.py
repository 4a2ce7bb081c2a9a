"""Captures of a tab: screenshots, and the marks, elements and text that go with them."""

from __future__ import annotations

import base64
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import anyio.to_thread

from webgym.browser.server.chromium import accessibility, elements, lines, marks, overlay
from webgym.browser.server.chromium.settle import version
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import Blob, Element, Mark, TextLine, address_of
from webgym.records.session import Look

MOST_TRIES = 3
"""Maximum number of captures if the page keeps changing between its marks and its screenshot."""
KEPT_PICTURES = 8


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """An encoded image and its content address."""

    blob: Blob
    data: bytes

    @classmethod
    def of(cls, data: bytes, media_type: str) -> EncodedImage:
        return cls(Blob(address_of(data), media_type, len(data)), data)


@dataclass(frozen=True, slots=True)
class Sight:
    """What one capture of a tab contains."""

    screenshot: EncodedImage | None = None
    labelled: EncodedImage | None = None
    marks: tuple[Mark, ...] | None = None
    elements: tuple[Element, ...] | None = None
    accessibility: str | None = None
    lines: tuple[TextLine, ...] | None = None

    @property
    def pictures(self) -> dict[str, bytes]:
        return {picture.blob.address: picture.data for picture in (self.screenshot, self.labelled) if picture}


class RecentImages:
    """Cache of a session's latest images, by address."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, pictures: dict[str, bytes]) -> None:
        for address, data in pictures.items():
            self._pictures[address] = data
            self._pictures.move_to_end(address)
        while len(self._pictures) > KEPT_PICTURES:
            self._pictures.popitem(last=False)

    def get(self, address: str) -> bytes | None:
        return self._pictures.get(address)


async def see(tab: TabHandle, look: Look) -> Sight:
    """Capture a tab in its current state."""
    marked, labelled = None, None
    if look.marks:
        marked, screenshot = await _of_one_moment(tab, look)
        labelled = await _labelled(screenshot, marked, look) if screenshot else None
    else:
        screenshot = await _screenshot(tab, look)
    found = await elements.collect(tab) if look.elements else None
    read = await lines.collect(tab) if look.lines else None
    return Sight(screenshot, labelled, marked, found, await _accessibility(tab, look), read)


async def _of_one_moment(tab: TabHandle, look: Look) -> tuple[tuple[Mark, ...], EncodedImage | None]:
    """Capture marks and screenshot consistently: retry if the page changed in between, up to a limit."""
    for _ in range(MOST_TRIES - 1):
        before = await version(tab)
        found = await marks.collect(tab)
        screenshot = await _screenshot(tab, look)
        if await version(tab) == before:
            return found, screenshot
    return await marks.collect(tab), await _screenshot(tab, look)


async def _screenshot(tab: TabHandle, look: Look) -> EncodedImage | None:
    if look.screenshot is None:
        return None
    request: dict[str, Any] = {"format": look.screenshot, "captureBeyondViewport": False, "optimizeForSpeed": True}
    if look.screenshot != "png":
        request["quality"] = min(100, max(1, look.quality))
    cdp = tab.cdp
    reply = await cdp.send("Page.captureScreenshot", request)
    return EncodedImage.of(base64.b64decode(reply["data"]), f"image/{look.screenshot}")


async def _labelled(screenshot: EncodedImage, found: tuple[Mark, ...], look: Look) -> EncodedImage:
    media_type = screenshot.blob.media_type
    data = await anyio.to_thread.run_sync(overlay.draw, screenshot.data, media_type, found, look.quality)
    return EncodedImage.of(data, media_type)


async def _accessibility(tab: TabHandle, look: Look) -> str | None:
    return await accessibility.tree(tab) if look.accessibility else None

"""The view of a page, through which it is drawn into its window: kept at a few pixels, because nobody looks there.

Without a graphics card, drawing every frame of a page at the usual size takes the processor about five milliseconds per
step. What a page is told (its viewport, its screen, its window) is emulated, or the window's own, and does not change.
For a screenshot the browser gives the view its emulated size for that moment. It does so for the DevTools session that
emulates, so the line that takes the screenshots says what Playwright has said already.

Two things are found only inside the view: what the mouse wheel turns, for which the view is opened, and frames of other
processes under the mouse. Those are of other origins, and a page with frames of other origins keeps its whole view.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import Line
from webgym.records.observation import Viewport

SMALL = {"width": 16, "height": 16}


class View:
    """The view of one tab."""

    def __init__(self, line: Line, viewport: Viewport) -> None:
        self._line = line
        self._viewport = viewport
        self._fits: tuple[float, bool] | None = None
        """Which document it was last made to fit, and whether it is whole."""

    async def emulate(self) -> None:
        """Say on this line how large the page is, as Playwright has said on its own."""
        width, height = self._viewport.width, self._viewport.height
        metrics: dict[str, Any] = {
            "mobile": False,
            "width": width,
            "height": height,
            "screenWidth": width,
            "screenHeight": height,
            "deviceScaleFactor": 1,
            "screenOrientation": {"angle": 0, "type": "landscapePrimary"},
        }
        await self._line.send("Emulation.setDeviceMetricsOverride", metrics)

    async def fit(self, document: float, *, whole: bool) -> bool:
        """Make it whole or small for this document; whether it has just become whole.

        Every new document may have a new view, of the window's size.
        """
        wanted = (document, whole)
        if wanted == self._fits:
            return False
        grown = whole and self._small
        self._fits = wanted
        await self._resize(whole=whole)
        return grown

    async def open(self) -> bool:
        """Make it whole until it is fitted again; whether it was not."""
        opened, self._fits = self._small, None
        if opened:
            await self._resize(whole=True)
        return opened

    @property
    def _small(self) -> bool:
        return self._fits is not None and not self._fits[1]

    async def _resize(self, *, whole: bool) -> None:
        size = {"width": self._viewport.width, "height": self._viewport.height} if whole else SMALL
        with suppress(Error):  # it is on its way out of the protocol; without it all is drawn, which only costs more
            await self._line.send("Emulation.setVisibleSize", size)

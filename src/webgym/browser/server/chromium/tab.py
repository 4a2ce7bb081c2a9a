"""The handle through which actions and captures use a tab."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Page

from webgym.browser.server.chromium.switchboard import Line
from webgym.records.observation import Viewport

MOST_TEXT = 100_000


@dataclass(slots=True)
class TabHandle:
    """What an action or a capture needs from a tab."""

    page: Page
    cdp: Line
    """Attached to the page's main frame; out-of-process frames are reached through `page.frames`."""
    viewport: Viewport
    hub: str
    """Name of the window property, in every frame, that holds the injected functions."""
    most_text: int = MOST_TEXT
    """Maximum number of characters that one action may type."""

"""The handle through which actions and captures use a tab."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Frame, Page

from webgym.browser.server.chromium.switchboard import Line
from webgym.records.observation import Viewport

MOST_TEXT = 100_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the value of a field that something was entered into."""

    same: bool = False
    """Whether it is what it was before."""
    detail: str = ""
    """What is unexpected about it, if anything."""


@dataclass(slots=True)
class FieldEntry:
    """Something that an action entered into a field, which the page watches since."""

    frame: Frame
    text: str | None = None
    """The text that was typed; None for a key or a choice."""
    chosen: bool = False
    """Whether it was a choice among options."""
    outcome: Outcome | None = None
    """Set once it was sent off, which often empties the field."""


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
    entry: FieldEntry | None = None
    """What the last action entered, if it entered something."""

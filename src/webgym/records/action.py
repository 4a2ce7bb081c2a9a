"""The action space: one union of everything an agent can do in a session, in pixels of the declared viewport."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record, Variant


class Point(Variant, frozen=True):
    """A position in the viewport, in CSS pixels from its top left corner."""

    x: int
    y: int


class MarkRef(Variant, frozen=True, tag="mark"):
    """An element, by its number in the latest observation with marks."""

    mark: int


Target = Point | MarkRef
Modifier = Literal["Alt", "Control", "Meta", "Shift"]


class Click(Variant, frozen=True):
    """Press and release a mouse button; `count=2` is a double click."""

    target: Target
    button: Literal["left", "right", "middle"] = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()


class Hover(Variant, frozen=True):
    """Move the mouse to the target and leave it there."""

    target: Target


class Drag(Variant, frozen=True):
    """Press at `start`, move, release at `end`."""

    start: Target
    end: Target


class TypeText(Variant, frozen=True, tag="type"):
    """Type text into the target, or into the focused element."""

    text: str
    target: Target | None = None
    mode: Literal["replace", "append"] = "replace"
    submit: bool = False
    """Press Enter afterwards."""


class Press(Variant, frozen=True):
    """Press keys together, as a chord: ("Control", "a"). Names are those of KeyboardEvent.key."""

    keys: tuple[str, ...]


class Scroll(Variant, frozen=True):
    """Turn the mouse wheel over the target (default: the middle of the viewport) by this many pixels."""

    dx: int = 0
    dy: int = 0
    target: Target | None = None


class Back(Variant, frozen=True):
    """Go one page back in the active tab's history."""


class Forward(Variant, frozen=True):
    """Go one page forward in the active tab's history."""


class Reload(Variant, frozen=True):
    """Reload the active tab's page."""


class Navigate(Variant, frozen=True):
    """Load an http or https URL in the active tab."""

    url: str


class NewTab(Variant, frozen=True):
    """Open a tab and activate it."""

    url: str = ""


class SwitchTab(Variant, frozen=True):
    """Activate another tab."""

    tab: int


class CloseTab(Variant, frozen=True):
    """Close a tab; by default the active one."""

    tab: int | None = None


class Select(Variant, frozen=True):
    """Select options of a `<select>`, each by its label or value."""

    target: Target
    options: tuple[str, ...]


class File(Record, frozen=True):
    """A file to upload."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


class Upload(Variant, frozen=True):
    """Set the files of a file input, or of the file chooser that a click on the target opens."""

    target: Target
    files: tuple[File, ...]


class AnswerDialog(Variant, frozen=True):
    """Accept or dismiss the open alert, confirm or prompt."""

    accept: bool
    text: str = ""


class Wait(Variant, frozen=True):
    """Wait, then observe the page at once."""

    seconds: float = 1.0


class Answer(Variant, frozen=True):
    """Give the final answer. Ends the attempt without touching the page."""

    text: str


Action = (
    Click
    | Hover
    | Drag
    | TypeText
    | Press
    | Scroll
    | Back
    | Forward
    | Reload
    | Navigate
    | NewTab
    | SwitchTab
    | CloseTab
    | Select
    | Upload
    | AnswerDialog
    | Wait
    | Answer
)

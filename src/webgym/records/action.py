"""Everything an agent can do to a session: one union, in pixels of the declared viewport."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record, Variant


class Point(Variant, frozen=True):
    """A place in the viewport, in CSS pixels from its top left corner."""

    x: int
    y: int


class MarkRef(Variant, frozen=True, tag="mark"):
    """An element by the number it had in the latest observation with marks."""

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
    """Move the mouse there and leave it."""

    target: Target


class Drag(Variant, frozen=True):
    """Press at `start`, move, release at `end`."""

    start: Target
    end: Target


class TypeText(Variant, frozen=True, tag="type"):
    """Write text into the target, or into what has the focus."""

    text: str
    target: Target | None = None
    mode: Literal["replace", "append"] = "replace"
    submit: bool = False
    """Press Enter afterwards."""


class Press(Variant, frozen=True):
    """Press keys together, as a chord: ("Control", "a"). Names are those of KeyboardEvent.key."""

    keys: tuple[str, ...]


class Scroll(Variant, frozen=True):
    """Scroll what is under the target (the middle of the viewport by default) by this many pixels."""

    dx: int = 0
    dy: int = 0
    target: Target | None = None


class Back(Variant, frozen=True):
    """One page back in the active tab's history."""


class Forward(Variant, frozen=True):
    """One page forward in the active tab's history."""


class Reload(Variant, frozen=True):
    """Load the active tab's page again."""


class Navigate(Variant, frozen=True):
    """Load an http or https address in the active tab."""

    url: str


class NewTab(Variant, frozen=True):
    """Open a tab and make it the active one."""

    url: str = ""


class SwitchTab(Variant, frozen=True):
    """Make another tab the active one."""

    tab: int


class CloseTab(Variant, frozen=True):
    """Close a tab; the active one if none is named."""

    tab: int | None = None


class Select(Variant, frozen=True):
    """Choose options of a `<select>`, each by its label or its value."""

    target: Target
    options: tuple[str, ...]


class File(Record, frozen=True):
    """A file that an agent uploads."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


class Upload(Variant, frozen=True):
    """Give files to a file input, or to the file chooser that clicking the target opens."""

    target: Target
    files: tuple[File, ...]


class AnswerDialog(Variant, frozen=True):
    """Answer the open alert, confirm or prompt."""

    accept: bool
    text: str = ""


class Wait(Variant, frozen=True):
    """Let time pass; the page is observed as soon as it is over."""

    seconds: float = 1.0


class Answer(Variant, frozen=True):
    """The agent's final answer. It ends the attempt and does nothing to the page."""

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

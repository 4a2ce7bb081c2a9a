"""What a session shows of itself after each step."""

from __future__ import annotations

import enum
import hashlib
from typing import Literal

from webgym.records.action import Point
from webgym.records.base import Record, Variant

OBSERVATION_VERSION = 1


class Viewport(Record, frozen=True):
    """Size of the visible page, in CSS pixels."""

    width: int = 1280
    height: int = 768


class Blob(Record, frozen=True):
    """Bytes passed by reference: an image, a download."""

    address: str
    """`sha256:` and the hash of the bytes."""
    media_type: str
    size: int
    """Bytes."""


def address_of(data: bytes) -> str:
    """The address under which these bytes are stored once and found everywhere."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class Changed(Variant, frozen=True):
    """The action had an effect that can be seen."""

    what: tuple[str, ...] = ()
    """Which of: url, content, scroll, value, focus, tabs, dialog, download."""


class Unchanged(Variant, frozen=True):
    """The action was carried out and nothing followed."""

    detail: str = ""


class FailedReason(enum.StrEnum):
    """Why an action could not be carried out, or what went wrong on the page while it was."""

    OFF_VIEWPORT = "off_viewport"
    MARK_GONE = "mark_gone"
    INVALID_URL = "invalid_url"
    EGRESS_REFUSED = "egress_refused"
    """The address is one that sessions may not reach."""
    NAVIGATION = "navigation"
    """The page could not be loaded; the detail holds the browser's reason."""
    NOT_EDITABLE = "not_editable"
    INVALID_VALUE = "invalid_value"
    NO_SUCH_OPTION = "no_such_option"
    NO_SUCH_TAB = "no_such_tab"
    NO_SUCH_KEY = "no_such_key"
    NO_DIALOG = "no_dialog"
    NOT_A_FILE_INPUT = "not_a_file_input"
    TEXT_TOO_LONG = "text_too_long"
    UNSUPPORTED = "unsupported"
    """This kind of session cannot do that."""
    PAGE_UNRESPONSIVE = "page_unresponsive"
    """The page kept its thread busy past the deadline; it was interrupted."""
    PAGE_CRASHED = "page_crashed"
    """The page's process died; a blank tab stands in its place."""


class Failed(Variant, frozen=True):
    """The action could not be carried out."""

    reason: FailedReason
    detail: str = ""


Effect = Changed | Unchanged | Failed


class ScrollExtent(Record, frozen=True):
    """Where the viewport is on the page, in CSS pixels."""

    x: int = 0
    y: int = 0
    width: int = 0
    """Full width of the page."""
    height: int = 0
    """Full height of the page."""


class Tab(Record, frozen=True):
    """One open tab."""

    tab: int
    url: str = ""
    title: str = ""
    active: bool = False


class Dialog(Record, frozen=True):
    """An alert, confirm or prompt that waits for an answer. While it is open the page stands still."""

    type: Literal["alert", "confirm", "prompt"]
    message: str
    default_text: str = ""


class Download(Record, frozen=True):
    """A file the page gave to the browser."""

    name: str
    state: Literal["in_progress", "complete", "failed", "over_quota"]
    blob: Blob | None = None
    """Where its bytes are, once complete."""
    url: str = ""
    size: int = 0
    """Bytes so far."""


class Box(Record, frozen=True):
    """A rectangle in the viewport, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Mark(Record, frozen=True):
    """An interactive element that can be seen, with the number drawn beside it."""

    mark: int
    role: str
    name: str
    box: Box
    value: str = ""
    states: tuple[str, ...] = ()
    """Which of: checked, disabled, expanded, focused, invalid, pressed, readonly, required, selected."""
    tag: str = ""
    """Element name, lower case."""


class Element(Record, frozen=True):
    """An interactive element, or one with a test id, anywhere on the page: in sight, scrolled away or hidden."""

    key: str
    """Its `data-testid`."""
    tag: str
    """Element name, lower case."""
    text: str
    """What it shows, in one line and cut short; a field's label."""
    box: Box
    """In the viewport's coordinates, also where that is outside of it; of no size if it is not shown."""
    type: str = ""
    """Of an input: text, checkbox, radio…"""
    href: str = ""
    """Of a link to the same origin: path and query; of others, the whole address."""
    value: str = ""
    """Of a field; of a select, the value of its option."""
    shown: bool = False
    """Whether it is laid out and visible, be it in the viewport or not."""
    point: Point | None = None
    """Where in the viewport a click would reach it now; None: nowhere."""
    scroller: Box | None = None
    """The box, in the viewport, of the scrolling part of the page that it is in; None if that is the page itself."""
    via: str = ""
    """If it is hidden: test id of what shows it (`data-via` of the hidden part)."""
    cover: str = ""
    """If something lies over it: test id of what removes that (`data-dismiss` of the covering part)."""
    checked: bool = False
    """Checkbox or radio button that is on, or selected or expanded according to its ARIA state."""
    disabled: bool = False
    options: dict[str, str] = {}
    """Of a select: what each of its options is called, by value."""


class TextLine(Record, frozen=True):
    """A line of text of the page, in sight or scrolled away."""

    text: str
    """As it is shown."""
    box: Box
    """In the viewport's coordinates, also where that is outside of it."""
    shown: bool = False
    """Whether all of it can be read in the viewport."""
    label: str = ""
    """What names it: the term it belongs to, its column and row in a table, or its test id."""
    item: str = ""
    """Heading of the card or row that it is in."""


class Timings(Record, frozen=True):
    """Where the time of one step went, in seconds."""

    queued: float = 0.0
    """Waiting for a turn on the node; not the page's nor the agent's time."""
    acted: float = 0.0
    settled: float = 0.0
    captured: float = 0.0


class Observation(Record, frozen=True):
    """One look at a session."""

    sequence: int
    """Counts this session's observations from 1."""
    url: str
    title: str = ""
    viewport: Viewport = Viewport()
    scroll: ScrollExtent = ScrollExtent()
    screenshot: Blob | None = None
    """None if none was asked for, or none could be taken (a dialog is open, the page hangs)."""
    labelled: Blob | None = None
    """The same capture with the marks drawn on it."""
    tabs: tuple[Tab, ...] = ()
    dialog: Dialog | None = None
    closed_dialogs: tuple[Dialog, ...] = ()
    """Dialogs that policy answered during this step."""
    downloads: tuple[Download, ...] = ()
    """All downloads of this session so far."""
    effect: Effect | None = None
    """What the action did; None when there was none."""
    settled: bool = True
    """Whether the page came to rest before it was observed."""
    marks: tuple[Mark, ...] | None = None
    elements: tuple[Element, ...] | None = None
    """Every interactive element of the page's main frame, on request."""
    lines: tuple[TextLine, ...] | None = None
    """What can be read on the page's main frame, on request."""
    accessibility: str | None = None
    """The accessibility tree as indented text, on request."""
    storage_state: str | None = None
    """Cookies and local storage as JSON, on request; a later session can start from it."""
    error_status: int = 0
    """HTTP status of the page's own document, if it is one of an error: 400 and above."""
    blank: bool = False
    """Whether there is nothing on the page: no text, no picture, no control."""
    blocked_requests: int = 0
    """Requests of this session refused by the egress policy so far."""
    timings: Timings = Timings()
    version: int = OBSERVATION_VERSION


class Capture(Record, frozen=True):
    """An observation together with the bytes it refers to, each once."""

    observation: Observation
    blobs: dict[str, bytes] = {}
    """By address."""


def describe_marks(marks: tuple[Mark, ...]) -> str:
    """The marks as text, one line each, to stand beside the labelled screenshot in a prompt."""
    return "\n".join(_mark_line(mark) for mark in marks)


def _mark_line(mark: Mark) -> str:
    value = f" value={mark.value!r}" if mark.value else ""
    states = f" ({', '.join(mark.states)})" if mark.states else ""
    return f"[{mark.mark}] {mark.role} {mark.name!r}{value}{states}"

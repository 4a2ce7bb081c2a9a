"""What a session returns after each step."""

from __future__ import annotations

import enum
import hashlib
from typing import Literal

from webgym.records.action import Point
from webgym.records.base import Record, Variant

OBSERVATION_VERSION = 1


class Viewport(Record, frozen=True):
    """Size of the viewport, in CSS pixels."""

    width: int = 1280
    height: int = 768


class Blob(Record, frozen=True):
    """Reference to content-addressed bytes: an image, a download."""

    address: str
    """`sha256:` plus the hash of the bytes."""
    media_type: str
    size: int
    """Bytes."""


def address_of(data: bytes) -> str:
    """Return the content address of these bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class PageChange(Variant, frozen=True, tag="changed"):
    """The action had an observable effect."""

    what: tuple[str, ...] = ()
    """Which of: url, content, scroll, value, focus, tabs, dialog, download."""
    detail: str = ""
    """For entries into fields: what is unexpected about the value, such as that it did not change."""


class NoChange(Variant, frozen=True, tag="unchanged"):
    """The action was performed without an observable effect."""

    detail: str = ""


class FailedReason(enum.StrEnum):
    """Why an action could not be performed, or what went wrong on the page meanwhile."""

    OFF_VIEWPORT = "off_viewport"
    MARK_GONE = "mark_gone"
    INVALID_URL = "invalid_url"
    EGRESS_REFUSED = "egress_refused"
    """The egress policy forbids this address."""
    NAVIGATION = "navigation"
    """The page could not be loaded; `detail` holds the browser's reason."""
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
    """The page blocked its main thread past the deadline and was interrupted."""
    PAGE_CRASHED = "page_crashed"
    """The page's process died; a blank tab replaces it."""
    PAGE_FLOODED = "page_flooded"
    """The page kept its browser so busy that it was ended; a blank tab replaces it."""


class ActionFailure(Variant, frozen=True, tag="failed"):
    """The action could not be performed."""

    reason: FailedReason
    detail: str = ""


Effect = PageChange | NoChange | ActionFailure


class ScrollExtent(Record, frozen=True):
    """Scroll position and page size, in CSS pixels."""

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
    """An open alert, confirm or prompt. It blocks the page until it is answered."""

    type: Literal["alert", "confirm", "prompt"]
    message: str
    default_text: str = ""


class Download(Record, frozen=True):
    """A file that the browser downloads."""

    name: str
    state: Literal["in_progress", "complete", "failed", "over_quota"]
    blob: Blob | None = None
    """Set once the download is complete."""
    url: str = ""
    size: int = 0
    """Bytes received so far."""


class Box(Record, frozen=True):
    """A rectangle in the viewport, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Mark(Record, frozen=True):
    """A visible interactive element, with the number drawn beside it."""

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
    """An interactive element, or one with a test id, anywhere on the page: visible, scrolled out of view or hidden."""

    key: str
    """Its `data-testid`."""
    tag: str
    """Element name, lower case."""
    text: str
    """Its text, truncated and on one line; for a field, its label."""
    box: Box
    """In viewport coordinates, possibly outside the viewport; of size 0 if the element is not rendered."""
    type: str = ""
    """Type of an input: text, checkbox, radio…"""
    href: str = ""
    """Target of a link: path and query within the same origin, otherwise the full URL."""
    value: str = ""
    """Value of a field; of a select, the value of the selected option."""
    shown: bool = False
    """Whether the element is rendered, inside the viewport or not."""
    point: Point | None = None
    """Viewport position where a click would hit the element now; None if there is none."""
    scroller: Box | None = None
    """Viewport box of the scroll container around the element; None if that is the page itself."""
    via: str = ""
    """For a hidden element: test id of the control that reveals it (`data-via` of the hidden part)."""
    cover: str = ""
    """For a covered element: test id of the control that removes the cover (`data-dismiss` of the cover)."""
    checked: bool = False
    """Whether a checkbox or radio button is on, or the ARIA state is selected or expanded."""
    disabled: bool = False
    options: dict[str, str] = {}
    """Labels of a select's options, by value."""


class TextLine(Record, frozen=True):
    """A line of text as laid out on the page, in view or scrolled out of it."""

    text: str
    """The text as rendered."""
    box: Box
    """In viewport coordinates, possibly outside the viewport."""
    shown: bool = False
    """Whether the whole line is readable in the viewport."""
    label: str = ""
    """What identifies the line: its term, its table column and row, or its test id."""
    item: str = ""
    """Heading of the card or row that contains the line."""


class Timings(Record, frozen=True):
    """Time breakdown of one step, in seconds."""

    queued: float = 0.0
    """Time in the node's queue, caused by neither page nor agent."""
    acted: float = 0.0
    settled: float = 0.0
    captured: float = 0.0


class Observation(Record, frozen=True):
    """The state of a session at one moment."""

    sequence: int
    """Number of this observation in its session, from 1."""
    url: str
    title: str = ""
    viewport: Viewport = Viewport()
    scroll: ScrollExtent = ScrollExtent()
    screenshot: Blob | None = None
    """None if not requested, or impossible (a dialog is open, the page hangs)."""
    labelled: Blob | None = None
    """The same screenshot with the marks drawn on it."""
    tabs: tuple[Tab, ...] = ()
    dialog: Dialog | None = None
    closed_dialogs: tuple[Dialog, ...] = ()
    """Dialogs answered automatically during this step."""
    downloads: tuple[Download, ...] = ()
    """All downloads of this session so far."""
    effect: Effect | None = None
    """Effect of the action; None if there was no action."""
    settled: bool = True
    """Whether the page had settled when it was observed."""
    pending: tuple[str, ...] = ()
    """What it was still waiting for if it had not: requests by method and address, timers, images, a navigation."""
    marks: tuple[Mark, ...] | None = None
    elements: tuple[Element, ...] | None = None
    """Every interactive element of the page's main frame, on request."""
    lines: tuple[TextLine, ...] | None = None
    """Every line of text of the page's main frame, on request."""
    accessibility: str | None = None
    """The accessibility tree as indented text, on request."""
    storage_state: str | None = None
    """Cookies and local storage as JSON, on request; a later session can start from it."""
    error_status: int = 0
    """HTTP status of the page's main document if it is an error (400 and above), else 0."""
    blank: bool = False
    """Whether the page is empty: no text, no picture, no control."""
    sparse: bool = False
    """Whether the page has little on it: at most three links and buttons, no field to type into, and little text."""
    bot_checks: tuple[str, ...] = ()
    """The bot checks, by vendor, that show on a page that is sparse or an error."""
    blocked_requests: int = 0
    """Number of requests of this session refused by the egress policy so far."""
    timings: Timings = Timings()
    version: int = OBSERVATION_VERSION


class Capture(Record, frozen=True):
    """An observation together with the blobs it refers to."""

    observation: Observation
    blobs: dict[str, bytes] = {}
    """Bytes by address."""


def describe_marks(marks: tuple[Mark, ...]) -> str:
    """Format the marks as text, one per line, to accompany the labelled screenshot in a prompt."""
    return "\n".join(_mark_line(mark) for mark in marks)


def _mark_line(mark: Mark) -> str:
    value = f" value={mark.value!r}" if mark.value else ""
    states = f" ({', '.join(mark.states)})" if mark.states else ""
    return f"[{mark.mark}] {mark.role} {mark.name!r}{value}{states}"

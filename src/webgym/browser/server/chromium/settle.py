"""Queries a document for when it has settled, and for what has changed since the previous step."""

from __future__ import annotations

import contextlib
import json
import math
from typing import Any
from urllib.parse import urlsplit

import anyio
import msgspec
from playwright.async_api import Error, Frame

from webgym.browser.server.chromium.frame_calls import expression
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import ScrollExtent

MOST_FRAMES = 12
FRAME_SECONDS = 3.0
UNKNOWN = ("", "about:blank")
"""URLs of a frame before Playwright has heard of its document."""
MOST_DOCUMENTS = 3
"""Maximum number of documents that may replace each other in a frame while it is queried."""
MOST_TITLE = 1000
MOST_URL = 8192
MOST_PENDING = 100
"""Characters of something that is pending."""


_BARE = """({
  settled: document.readyState === "complete",
  title: typeof document.title === "string" && document.title.length < 1e5 ? document.title : "",
  now: {url: location.href},
})"""


class Counts(msgspec.Struct, frozen=True):
    """Change counters of a document at one moment. Only differences are meaningful."""

    doc: float = 0.0
    """Unique id of the document."""
    url: str = ""
    x: int = 0
    y: int = 0
    mutations: int = 0
    values: int = 0
    focus: int = 0
    scrolls: int = 0
    far: int = 0
    """Number of cross-origin frames."""
    frames: float = 0.0
    """Sum of the ids of the documents in same-origin frames, which changes when one is replaced."""


class PageState(msgspec.Struct, frozen=True):
    """The state of a document at one moment, as returned by `hub.settle`."""

    settled: bool = False
    pending: tuple[str, ...] = ()
    """What it was waiting for, if it has not settled."""
    late: float = 0.0
    """Milliseconds by which its timers and frames were late meanwhile."""
    base: Counts = Counts()
    """Counters just before the action."""
    now: Counts = Counts()
    title: str = ""
    width: float = 0
    height: float = 0
    caret: bool = False
    """Whether a blinking caret may be visible."""
    status: int = 0
    """HTTP status of the document's response; 0 if there was none."""
    blank: bool = False
    """Whether the page has no visible content."""
    sparse: bool = False
    """Whether it has little of it: few controls, no field, little text."""
    checks: tuple[str, ...] = ()
    """Bot checks on a page that is sparse or an error."""
    elsewhere: float = 0.0
    """Checksum of the documents and changes in cross-origin frames."""

    @property
    def url(self) -> str:
        return self.now.url[:MOST_URL]

    @property
    def scroll(self) -> ScrollExtent:
        return ScrollExtent(self.now.x, self.now.y, int(self.width), int(self.height))


class DocumentGone(Exception):
    """The document was replaced before it could reply."""


async def ask(tab: TabHandle, step: int, seconds: float) -> PageState:
    """Return the main document's state as soon as it has settled or the time is up.

    Raises:
        DocumentGone: The document was replaced.
    """
    # The second is a fallback for pages that broke their native functions.
    for question in (_expression(tab.hub, step, seconds), _BARE):
        reply = await _evaluate(tab, question)
        state = None if "exceptionDetails" in reply else _state(reply["result"].get("value"))
        if state is not None:
            pending = tuple(what[:MOST_PENDING] for what in state.pending)
            return msgspec.structs.replace(state, title=state.title[:MOST_TITLE], pending=pending)
    raise DocumentGone


async def outlive(tab: TabHandle) -> None:
    """Tell the page that it is waited for no longer: what is still pending is endless, and not waited for again."""
    with contextlib.suppress(Error):
        await tab.cdp.send("Runtime.evaluate", {"expression": expression(tab, "outlive")})


class FramesState(msgspec.Struct, frozen=True):
    """The state of a page's cross-origin frames."""

    settled: bool = True
    pending: tuple[str, ...] = ()
    moved: float = 0.0
    """A checksum that changes with their content."""


def knows_frames(tab: TabHandle, count: int) -> bool:
    """Return whether Playwright, which may be late, knows the documents of this number of cross-origin frames."""
    others = [frame for frame in tab.page.frames if frame.parent_frame]
    known = [frame for frame in others if frame.url not in UNKNOWN]
    foreign = [frame for frame in known if frame.parent_frame and _origin(frame.url) != _origin(frame.parent_frame.url)]
    return len(foreign) >= count or len(known) == len(others)


async def ask_frames(tab: TabHandle, step: int, seconds: float) -> FramesState:
    """Let cross-origin frames settle, and return their state."""
    answers: list[PageState] = []
    frames = _foreign(tab)[:MOST_FRAMES]

    async def answer(frame: Frame) -> None:
        for _ in range(MOST_DOCUMENTS):
            try:
                value = await frame.evaluate(_expression(tab.hub, step, min(seconds, FRAME_SECONDS), last=True))
            except Error:
                if frame.is_detached():
                    return
                continue  # another document has replaced it
            if (state := _state(value)) is not None:
                answers.append(state)
            return

    with anyio.move_on_after(seconds + FRAME_SECONDS) as scope:
        async with anyio.create_task_group() as tasks:
            for frame in frames:
                tasks.start_soon(answer, frame)
    # An exact sum, because frames reply in any order.
    moved = math.fsum(
        number
        for state in answers
        for number in (state.now.doc, state.now.frames, state.now.mutations, state.now.values, state.now.scrolls)
    )
    late = ("frame",) if scope.cancelled_caught else ()
    return FramesState(
        settled=not late and all(state.settled for state in answers),
        pending=tuple(f"{what} in a frame" for state in answers for what in state.pending) + late,
        moved=moved + len(frames),
    )


async def version(tab: TabHandle) -> str:
    """Return a string that differs whenever the page has changed."""
    cdp = tab.cdp
    try:
        reply = await cdp.send("Runtime.evaluate", {"expression": f"window[{json.dumps(tab.hub)}]?.version() ?? ''"})
    except Error:
        if tab.page.is_closed():
            raise
        return "gone"
    return str(reply["result"].get("value", ""))


async def _evaluate(tab: TabHandle, expression: str) -> dict[str, Any]:
    cdp = tab.cdp
    question = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    try:
        return await cdp.send("Runtime.evaluate", question)
    except Error as error:
        if tab.page.is_closed():
            raise
        raise DocumentGone from error


def _state(value: object) -> PageState | None:
    """Decode a state; None if the page tampered with it."""
    try:
        return msgspec.convert(value, PageState, strict=False)
    except msgspec.ValidationError:
        return None


def _expression(hub: str, step: int, seconds: float, *, last: bool = False) -> str:
    options = json.dumps({"step": step, "ms": max(0, round(seconds * 1000)), "last": last})
    # In a document without the script (an error page, an image), only loading can be waited for.
    return f"window[{json.dumps(hub)}]?.settle({options}) ?? {_BARE}"


def _foreign(tab: TabHandle) -> list[Frame]:
    """Return the frames whose parent is of another origin, so that its hub cannot reach them."""
    return [
        frame
        for frame in tab.page.frames
        if frame.parent_frame and _origin(frame.url) not in ("", _origin(frame.parent_frame.url))
    ]


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""

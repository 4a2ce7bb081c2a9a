"""Asking a document to say when it is at rest, and what has happened to it since the step before."""

from __future__ import annotations

import json
import math
from typing import Any
from urllib.parse import urlsplit

import anyio
import msgspec
from playwright.async_api import Error, Frame

from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import ScrollExtent

MOST_FRAMES = 12
FRAME_SECONDS = 3.0
MOST_DOCUMENTS = 3
"""One after the other in one frame, while it is asked."""
MOST_TITLE = 1000
MOST_URL = 8192


_BARE = """({
  settled: document.readyState === "complete",
  title: typeof document.title === "string" ? document.title : "",
  now: {url: location.href},
})"""


class Counts(msgspec.Struct, frozen=True):
    """What a document has seen, at one moment. Only differences mean anything."""

    doc: float = 0.0
    """Tells documents apart."""
    url: str = ""
    x: int = 0
    y: int = 0
    mutations: int = 0
    values: int = 0
    focus: int = 0
    scrolls: int = 0
    far: int = 0
    """Frames of other origins."""
    frames: float = 0.0
    """Tells the documents in frames of the same origin apart."""


class PageState(msgspec.Struct, frozen=True):
    """A document as of one moment: what `hub.settle` answers."""

    settled: bool = False
    base: Counts = Counts()
    """Just before the action."""
    now: Counts = Counts()
    title: str = ""
    width: float = 0
    height: float = 0
    caret: bool = False
    """Whether a blinking caret may be in the picture."""
    status: int = 0
    """Of the reply that brought the document; 0 if there was none."""
    blank: bool = False
    """Whether there is nothing on it."""
    elsewhere: float = 0.0
    """What moved in frames of other origins, and which documents those are."""

    @property
    def url(self) -> str:
        return self.now.url[:MOST_URL]

    @property
    def scroll(self) -> ScrollExtent:
        return ScrollExtent(self.now.x, self.now.y, int(self.width), int(self.height))


class DocumentGone(Exception):
    """The document was replaced before it could answer."""


async def ask(tab: TabHandle, step: int, seconds: float) -> PageState:
    """The main document's state, as soon as it is at rest or the time is up.

    Raises:
        DocumentGone: It is another document now.
    """
    # The second is for a page that broke its own natives.
    for expression in (_expression(tab.hub, step, seconds), _BARE):
        reply = await _evaluate(tab, expression)
        state = None if "exceptionDetails" in reply else _state(reply["result"].get("value"))
        if state is not None:
            return msgspec.structs.replace(state, title=state.title[:MOST_TITLE])
    raise DocumentGone


async def ask_frames(tab: TabHandle, step: int, seconds: float) -> tuple[bool, float]:
    """Let the frames of other origins come to rest: whether they did, and a number that what moves in them changes."""
    answers: list[PageState] = []
    frames = _foreign(tab)[:MOST_FRAMES]

    async def answer(frame: Frame) -> None:
        for _ in range(MOST_DOCUMENTS):
            try:
                value = await frame.evaluate(_expression(tab.hub, step, min(seconds, FRAME_SECONDS)))
            except Error:
                if frame.is_detached():
                    return
                continue  # another document is in its place
            if (state := _state(value)) is not None:
                answers.append(state)
            return

    with anyio.move_on_after(seconds + FRAME_SECONDS) as scope:
        async with anyio.create_task_group() as tasks:
            for frame in frames:
                tasks.start_soon(answer, frame)
    # The exact sum, because they answer in any order.
    moved = math.fsum(number for state in answers for number in _moving(state.now))
    return not scope.cancelled_caught and all(state.settled for state in answers), moved + len(frames)


def _moving(now: Counts) -> tuple[float, ...]:
    return now.doc, now.frames, now.mutations, now.values, now.scrolls


async def version(tab: TabHandle) -> str:
    """Differs whenever the page does."""
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
    """None if a page has made something else of it."""
    try:
        return msgspec.convert(value, PageState, strict=False)
    except msgspec.ValidationError:
        return None


def _expression(hub: str, step: int, seconds: float) -> str:
    options = json.dumps({"step": step, "ms": max(0, round(seconds * 1000))})
    # A document without the script (an error page, an image) has nothing to wait for but its load.
    return f"window[{json.dumps(hub)}]?.settle({options}) ?? {_BARE}"


def _foreign(tab: TabHandle) -> list[Frame]:
    """Frames that the hub of their parent cannot reach; those inside them answer for themselves."""
    return [
        frame
        for frame in tab.page.frames
        if frame.parent_frame and _origin(frame.url) not in ("", _origin(frame.parent_frame.url))
    ]


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""

"""Calls to the functions injected into every frame, including across cross-origin frames that they cannot reach."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

import anyio
import msgspec
from playwright.async_api import Error, Frame

from webgym.browser.server.chromium import surrogates
from webgym.browser.server.chromium.tab import TabHandle

T = TypeVar("T")

logger = logging.getLogger(__name__)

Reference = dict[str, Any]
"""A reference to an element for `scripts/shadow.js`: a point, a mark's slot, the focus, or the kept element."""

FOCUS: Reference = {"focus": True}
KEPT: Reference = {"kept": True}

_owners: WeakKeyDictionary[Frame, tuple[ReferenceType[Frame], int]] = WeakKeyDictionary()
"""For cross-origin frames: the frame whose hub can reach their owner element, and their key in that hub. Frames of a
page refer to each other, so the values must be weak references too."""

_answers = msgspec.json.Decoder()

_DRAWN_SECONDS = 0.5
_FRAME_SECONDS = 2.0
"""Timeout per frame: one that hangs or never loads is skipped rather than holding up its page."""


@dataclass(frozen=True, slots=True)
class ViewportPoint:
    """A point in a viewport, and whether its element is visible there."""

    x: float
    y: float
    seen: bool = True


@dataclass(frozen=True, slots=True)
class FrameElement:
    """A reference to an element, and the frame it is relative to."""

    frame: Frame
    reference: Reference


async def call(tab: TabHandle, frame: Frame, function: str, *args: object) -> Any:
    """Call an injected function; return None if the document lacks it or was replaced meanwhile."""
    asked = expression(tab, "answer", function, *args)
    text = None
    try:
        if frame == tab.page.main_frame:
            cdp = tab.cdp
            reply = await cdp.send("Runtime.evaluate", {"expression": asked})
            text = _returned(reply, function)
        else:
            with anyio.move_on_after(_FRAME_SECONDS):
                text = await frame.evaluate(asked)
    except Error as error:
        if tab.page.is_closed():
            raise
        logger.debug("no answer from %s: %s", function, error.message)
    return surrogates.decode(_answers, text) if text else None


def _returned(reply: dict[str, Any], function: str) -> Any:
    if "exceptionDetails" in reply:
        thrown = reply["exceptionDetails"].get("exception", {}).get("description", "")
        logger.warning("the injected %s failed on this page: %s", function, thrown[:500])
        return None
    return reply["result"].get("value")


async def read(tab: TabHandle, script: str, decoder: msgspec.json.Decoder[T]) -> T | None:
    """Evaluate a script in the main frame with the window's native objects; None if the result is unusable."""
    asked = f"({script})({expression(tab, 'natives')} ?? window)"
    text = _returned(await tab.cdp.send("Runtime.evaluate", {"expression": asked}), "reading")
    try:
        return surrogates.decode(decoder, text) if isinstance(text, str) else None
    except msgspec.DecodeError as error:
        logger.warning("the injected script returned invalid data on this page: %s", error)
        return None


def expression(tab: TabHandle, function: str, *args: object) -> str:
    """Return a JavaScript expression that calls an injected function; undefined where there is no hub."""
    arguments = surrogates.encode(args).decode()
    return f"window[{msgspec.json.encode(tab.hub).decode()}]?.{function}(...{arguments})"


async def apply(tab: TabHandle, place: FrameElement, operation: str, *args: object) -> tuple[Any, FrameElement] | None:
    """Apply an injected operation to an element, descending into the frame that contains it; None if it is gone.

    The returned place is where the element was found, for follow-up operations.
    """
    while True:
        answer = await call(tab, place.frame, "apply", operation, place.reference, *args)
        match answer:
            case {"result": result}:
                return result, place
            case {"frame": int(key), **rest}:
                frame = await child(tab, place.frame, key)
                if frame is None:
                    return None
                place = FrameElement(frame, place.reference if "x" not in rest else {"x": rest["x"], "y": rest["y"]})
            case _:
                return None


async def drawn(tab: TabHandle) -> None:
    """Wait, up to a limit, until the page has rendered pending frames and run its zero-delay timers."""
    with anyio.move_on_after(_DRAWN_SECONDS):
        await tab.page.evaluate(expression(tab, "drawn"))


async def child(tab: TabHandle, home: Frame, key: int) -> Frame | None:
    """Return the frame that the hub of `home` knows by this key."""
    below = _descendants(home)
    async with anyio.create_task_group() as tasks:
        for frame in below:
            if frame not in _owners:
                tasks.start_soon(_learn_owner, tab, frame)
    wanted = (ref(home), key)
    return next((frame for frame in below if _owners.get(frame) == wanted), None)


async def outward(tab: TabHandle, frame: Frame, points: list[ViewportPoint]) -> list[ViewportPoint] | None:
    """Map points of a frame to the main viewport, unseen where something outside covers them; None if it is gone."""
    while frame != tab.page.main_frame:
        owner, key = _owners[frame]
        home = owner()
        if home is None:
            return None
        answer = await call(tab, home, "through", key, [(point.x, point.y) for point in points])
        if answer is None:
            return None
        points = [ViewportPoint(x, y, seen and old.seen) for (x, y, seen), old in zip(answer, points, strict=True)]
        frame = home
    return points


def _descendants(frame: Frame) -> list[Frame]:
    return [below for inner in frame.child_frames for below in (inner, *_descendants(inner))]


async def _learn_owner(tab: TabHandle, frame: Frame) -> None:
    """Look up a frame's owner; a frame that is detached meanwhile stays unknown."""
    key = up = 0
    try:
        with anyio.move_on_after(_FRAME_SECONDS):
            element = await frame.frame_element()
            key, up = await element.evaluate("(element, hub) => window[hub].keyAtHome(element)", tab.hub)
            await element.dispose()
    except Error:
        return
    home = frame.parent_frame if key else None
    for _ in range(up):
        home = home.parent_frame if home else None
    if home:
        _owners[frame] = (ref(home), key)

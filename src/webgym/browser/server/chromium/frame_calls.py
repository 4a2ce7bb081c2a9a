"""Calls into the functions injected in every frame, and the frames that those functions cannot reach themselves."""

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
"""An element, as `scripts/shadow.js` understands it: a point, a mark's slot, the focus, or the one kept."""

FOCUS: Reference = {"focus": True}
KEPT: Reference = {"kept": True}

_owners: WeakKeyDictionary[Frame, tuple[ReferenceType[Frame], int]] = WeakKeyDictionary()
"""For frames of another origin than their parent: the frame whose hub can reach their element, and their key there.
Frames of one page know each other, so the values must not hold them either."""

_answers = msgspec.json.Decoder()

_DRAWN_SECONDS = 0.5
_FRAME_SECONDS = 2.0
"""A frame that hangs, or never loads, is left out; it must not hold up its page."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of a viewport, and whether what it was taken from can be seen there."""

    x: float
    y: float
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """An element of one frame."""

    frame: Frame
    reference: Reference


async def call(tab: TabHandle, frame: Frame, function: str, *args: object) -> Any:
    """What an injected function answers; None where the document has none, or went away meanwhile."""
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
    """What a function of ours says of the main frame, given the window's own names; None if the page spoils it."""
    asked = f"({script})({expression(tab, 'natives')} ?? window)"
    text = _returned(await tab.cdp.send("Runtime.evaluate", {"expression": asked}), "reading")
    try:
        return surrogates.decode(decoder, text) if isinstance(text, str) else None
    except msgspec.DecodeError as error:
        logger.warning("what was read from this page makes no sense: %s", error)
        return None


def expression(tab: TabHandle, function: str, *args: object) -> str:
    """JavaScript that calls an injected function; it is undefined where there is none."""
    arguments = surrogates.encode(args).decode()
    return f"window[{msgspec.json.encode(tab.hub).decode()}]?.{function}(...{arguments})"


async def apply(tab: TabHandle, place: Place, operation: str, *args: object) -> tuple[Any, Place] | None:
    """Do one of the page's operations to an element, in whichever frame it turns out to be; None if it is gone.

    The place returned is where it was found, for operations to follow.
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
                place = Place(frame, place.reference if "x" not in rest else {"x": rest["x"], "y": rest["y"]})
            case _:
                return None


async def drawn(tab: TabHandle) -> None:
    """Return when the page has drawn what it had to draw, and its zero timeouts have run; a page may never."""
    with anyio.move_on_after(_DRAWN_SECONDS):
        await tab.page.evaluate(expression(tab, "drawn"))


async def child(tab: TabHandle, home: Frame, key: int) -> Frame | None:
    """The frame that a hub knows by this key."""
    below = _descendants(home)
    async with anyio.create_task_group() as tasks:
        for frame in below:
            if frame not in _owners:
                tasks.start_soon(_learn_owner, tab, frame)
    wanted = (ref(home), key)
    return next((frame for frame in below if _owners.get(frame) == wanted), None)


async def outward(tab: TabHandle, frame: Frame, points: list[Spot]) -> list[Spot] | None:
    """Points of a frame in the main viewport, seen only if nothing outside the frame lies over them; None: gone."""
    while frame != tab.page.main_frame:
        owner, key = _owners[frame]
        home = owner()
        if home is None:
            return None
        answer = await call(tab, home, "through", key, [(point.x, point.y) for point in points])
        if answer is None:
            return None
        points = [Spot(x, y, seen and old.seen) for (x, y, seen), old in zip(answer, points, strict=True)]
        frame = home
    return points


def _descendants(frame: Frame) -> list[Frame]:
    return [below for inner in frame.child_frames for below in (inner, *_descendants(inner))]


async def _learn_owner(tab: TabHandle, frame: Frame) -> None:
    """A frame that goes away while asked about stays unknown."""
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

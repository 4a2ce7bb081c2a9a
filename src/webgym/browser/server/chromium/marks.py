"""Marks: the visible interactive elements, numbered in reading order, and the lookup of an element by its number."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import ReferenceType, WeakKeyDictionary, ref

import anyio
import msgspec
from playwright.async_api import Frame, Page

from webgym.browser.server.chromium.closed_roots import adopt
from webgym.browser.server.chromium.frame_calls import FrameElement, Reference, ViewportPoint, call, child, outward
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import Box, Mark

logger = logging.getLogger(__name__)

_generations = itertools.count(1)
_places: WeakKeyDictionary[Page, dict[int, tuple[ReferenceType[Frame], Reference]]] = WeakKeyDictionary()
"""The marks of each page's latest collection. The elements themselves stay in the page. Frames are held weakly, because
a frame refers to its page, which its own entry would keep alive."""

_FRAMES_SECONDS = 4.0
"""Timeout for all cross-origin frames of a frame together; those that hang are omitted."""
_MOST_LOOKS = 4
"""Maximum number of passes: closed shadow roots adopted through CDP may contain further ones."""


@dataclass(frozen=True, slots=True)
class _LocatedMark:
    place: FrameElement
    mark: Mark


class _Raw(msgspec.Struct):
    """A mark as reported by `scripts/marks.js`, in the coordinates of its own frame's viewport."""

    role: str
    name: str
    value: str
    states: tuple[str, ...]
    tag: str
    box: tuple[float, float, float, float]
    point: tuple[float, float]


class _VisibleFrame(msgspec.Struct):
    """A visible cross-origin frame."""

    key: int
    clip: dict[str, float]


class _FrameMarks(msgspec.Struct):
    """The reply of one frame."""

    marks: list[_Raw]
    frames: list[_VisibleFrame]
    suspects: int


async def collect(tab: TabHandle) -> tuple[Mark, ...]:
    """Collect the currently visible marks. Invalidates the numbers of the previous collection."""
    found: list[_LocatedMark] = []
    for _ in range(_MOST_LOOKS):
        found.clear()
        suspects = await _collect(tab, tab.page.main_frame, None, next(_generations), found)
        if not (suspects and await adopt(tab)):
            break
    ordered = [
        _LocatedMark(located.place, msgspec.structs.replace(located.mark, mark=number))
        for number, located in enumerate(_in_reading_order(found), start=1)
    ]
    _places[tab.page] = {located.mark.mark: (ref(located.place.frame), located.place.reference) for located in ordered}
    return tuple(located.mark for located in ordered)


def place_of(tab: TabHandle, mark: int) -> FrameElement | None:
    """Return the place of a mark of the latest collection; None if there is no such mark."""
    place = _places.get(tab.page, {}).get(mark)
    frame = place[0]() if place else None
    return FrameElement(frame, place[1]) if place and frame else None


async def _collect(
    tab: TabHandle, frame: Frame, clip: dict[str, float] | None, generation: int, found: list[_LocatedMark]
) -> int:
    """Add the marks of a frame and its child frames; return how many closed shadow roots may have been missed."""
    try:
        answer = msgspec.convert(await call(tab, frame, "marks", generation, clip), _FrameMarks | None)
    except msgspec.ValidationError as error:  # pages can override `toJSON` of their arrays
        logger.warning("the injected script returned invalid marks on this page: %s", error)
        return 0
    if answer is None:
        return 0
    raws = answer.marks
    boxes = await _outward_boxes(tab, frame, raws)
    for slot, (raw, box) in enumerate(zip(raws, boxes, strict=True)):
        if box is not None:
            reference: Reference = {"slot": slot, "generation": generation}
            found.append(_LocatedMark(FrameElement(frame, reference), _mark(raw, box)))
    with anyio.move_on_after(_FRAMES_SECONDS):
        for shown in answer.frames:
            inner = await child(tab, frame, shown.key)
            if inner is not None:
                await _collect(tab, inner, shown.clip, generation, found)
    return answer.suspects


async def _outward_boxes(tab: TabHandle, frame: Frame, raws: list[_Raw]) -> list[Box | None]:
    """Map boxes to the main viewport; None for elements covered by something outside the frame."""
    if frame == tab.page.main_frame:
        return [Box(*(round(side, 1) for side in raw.box)) for raw in raws]
    spots = [spot for raw in raws for spot in _corners_and_point(raw)]
    mapped = await outward(tab, frame, spots) if spots else []
    if mapped is None:
        return [None] * len(raws)
    return [_box(*mapped[index : index + 3]) for index in range(0, len(mapped), 3)]


def _corners_and_point(raw: _Raw) -> tuple[ViewportPoint, ViewportPoint, ViewportPoint]:
    x, y, width, height = raw.box
    return ViewportPoint(x, y), ViewportPoint(x + width, y + height), ViewportPoint(*raw.point)


def _box(start: ViewportPoint, end: ViewportPoint, point: ViewportPoint) -> Box | None:
    if not point.seen:
        return None
    return Box(round(start.x, 1), round(start.y, 1), round(end.x - start.x, 1), round(end.y - start.y, 1))


def _mark(raw: _Raw, box: Box) -> Mark:
    return Mark(mark=0, role=raw.role, name=raw.name, box=box, value=raw.value, states=raw.states, tag=raw.tag)


def _in_reading_order(found: Iterable[_LocatedMark]) -> list[_LocatedMark]:
    """Sort row by row, left to right. An element that starts above the middle of a row's first one is in that row."""
    ordered: list[_LocatedMark] = []
    row: list[_LocatedMark] = []
    middle = 0.0
    for located in sorted(found, key=lambda located: (located.mark.box.y, located.mark.box.x)):
        box = located.mark.box
        if row and box.y >= middle:
            ordered += sorted(row, key=lambda located: located.mark.box.x)
            row = []
        if not row:
            middle = box.y + min(box.height, _TALLEST_ROW) / 2
        row.append(located)
    return ordered + sorted(row, key=lambda located: located.mark.box.x)


_TALLEST_ROW = 60.0
"""CSS pixels. A taller element spans several rows instead of forming one."""

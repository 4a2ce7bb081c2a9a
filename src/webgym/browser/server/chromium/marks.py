"""The interactive elements that can be seen, numbered in reading order, and the way back from a number."""

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
from webgym.browser.server.chromium.frame_calls import Place, Reference, Spot, call, child, outward
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.observation import Box, Mark

logger = logging.getLogger(__name__)

_generations = itertools.count(1)
_places: WeakKeyDictionary[Page, dict[int, tuple[ReferenceType[Frame], Reference]]] = WeakKeyDictionary()
"""Where the marks of each page's latest collection are. The elements themselves are known only to the page; and a frame
knows its page, which must not be held by its own entry."""

_FRAMES_SECONDS = 4.0
"""For all frames of other origins together: those that hang are left out."""
_MOST_LOOKS = 4
"""Shadow roots that only the debugger can open may hold more of their kind."""


@dataclass(frozen=True, slots=True)
class _Found:
    place: Place
    mark: Mark


class _Raw(msgspec.Struct):
    """One mark as `scripts/marks.js` tells it, in its own frame's viewport."""

    role: str
    name: str
    value: str
    states: tuple[str, ...]
    tag: str
    box: tuple[float, float, float, float]
    point: tuple[float, float]


class _Shown(msgspec.Struct):
    """A frame of another origin that can be seen."""

    key: int
    clip: dict[str, float]


class _Answer(msgspec.Struct):
    """What one frame tells."""

    marks: list[_Raw]
    frames: list[_Shown]
    suspects: int


async def collect(tab: TabHandle) -> tuple[Mark, ...]:
    """The marks that can be seen now. Numbers of an earlier collection are forgotten."""
    found: list[_Found] = []
    for _ in range(_MOST_LOOKS):
        found.clear()
        suspects = await _collect(tab, tab.page.main_frame, None, next(_generations), found)
        if not (suspects and await adopt(tab)):
            break
    ordered = [
        _Found(one.place, msgspec.structs.replace(one.mark, mark=number))
        for number, one in enumerate(_in_reading_order(found), start=1)
    ]
    _places[tab.page] = {one.mark.mark: (ref(one.place.frame), one.place.reference) for one in ordered}
    return tuple(one.mark for one in ordered)


def place_of(tab: TabHandle, mark: int) -> Place | None:
    """Where a mark of the latest collection is; None if there was none of that number."""
    place = _places.get(tab.page, {}).get(mark)
    frame = place[0]() if place else None
    return Place(frame, place[1]) if place and frame else None


async def _collect(
    tab: TabHandle, frame: Frame, clip: dict[str, float] | None, generation: int, found: list[_Found]
) -> int:
    """Add a frame's marks, and those of frames inside it; how many closed shadow roots may have been missed."""
    try:
        answer = msgspec.convert(await call(tab, frame, "marks", generation, clip), _Answer | None)
    except msgspec.ValidationError as error:  # pages teach their arrays to write themselves as something else
        logger.warning("the marks of this page make no sense: %s", error)
        return 0
    if answer is None:
        return 0
    raws = answer.marks
    boxes = await _outward_boxes(tab, frame, raws)
    for slot, (raw, box) in enumerate(zip(raws, boxes, strict=True)):
        if box is not None:
            reference: Reference = {"slot": slot, "generation": generation}
            found.append(_Found(Place(frame, reference), _mark(raw, box)))
    with anyio.move_on_after(_FRAMES_SECONDS):
        for shown in answer.frames:
            inner = await child(tab, frame, shown.key)
            if inner is not None:
                await _collect(tab, inner, shown.clip, generation, found)
    return answer.suspects


async def _outward_boxes(tab: TabHandle, frame: Frame, raws: list[_Raw]) -> list[Box | None]:
    """Boxes in the main viewport; None for what something outside the frame lies over."""
    if frame == tab.page.main_frame:
        return [Box(*(round(side, 1) for side in raw.box)) for raw in raws]
    spots = [spot for raw in raws for spot in _corners_and_point(raw)]
    mapped = await outward(tab, frame, spots) if spots else []
    if mapped is None:
        return [None] * len(raws)
    return [_box(*mapped[index : index + 3]) for index in range(0, len(mapped), 3)]


def _corners_and_point(raw: _Raw) -> tuple[Spot, Spot, Spot]:
    x, y, width, height = raw.box
    return Spot(x, y), Spot(x + width, y + height), Spot(*raw.point)


def _box(start: Spot, end: Spot, point: Spot) -> Box | None:
    if not point.seen:
        return None
    return Box(round(start.x, 1), round(start.y, 1), round(end.x - start.x, 1), round(end.y - start.y, 1))


def _mark(raw: _Raw, box: Box) -> Mark:
    return Mark(mark=0, role=raw.role, name=raw.name, box=box, value=raw.value, states=raw.states, tag=raw.tag)


def _in_reading_order(found: Iterable[_Found]) -> list[_Found]:
    """Row by row, left to right: what starts above the middle of a row's first element belongs to that row."""
    ordered: list[_Found] = []
    row: list[_Found] = []
    middle = 0.0
    for one in sorted(found, key=lambda one: (one.mark.box.y, one.mark.box.x)):
        box = one.mark.box
        if row and box.y >= middle:
            ordered += sorted(row, key=lambda one: one.mark.box.x)
            row = []
        if not row:
            middle = box.y + min(box.height, _TALLEST_ROW) / 2
        row.append(one)
    return ordered + sorted(row, key=lambda one: one.mark.box.x)


_TALLEST_ROW = 60.0
"""CSS pixels: an element taller than this is beside several rows, not one row of its own."""

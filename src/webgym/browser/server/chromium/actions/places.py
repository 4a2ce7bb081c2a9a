"""Resolves an action's target to a point that can be clicked."""

from __future__ import annotations

from dataclasses import dataclass

import anyio

from webgym.browser.server.chromium.frame_calls import FrameElement, ViewportPoint, apply, drawn, outward
from webgym.browser.server.chromium.marks import place_of
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.action import MarkRef, Point, Target
from webgym.records.observation import ActionFailure, FailedReason

_SCROLL_SECONDS = 0.5
"""How long out-of-process parent frames may take to scroll an element into view."""


@dataclass(frozen=True, slots=True)
class TargetPoint:
    """A resolved target."""

    x: float
    y: float
    """Coordinates in the main viewport."""
    place: FrameElement
    """Where operations on the element start."""


async def aim(tab: TabHandle, target: Target) -> TargetPoint | ActionFailure:
    """Resolve a target. Points are only validated; marks are scrolled into view and measured again."""
    match target:
        case Point(x=x, y=y):
            if not (0 <= x < tab.viewport.width and 0 <= y < tab.viewport.height):
                size = f"{tab.viewport.width}x{tab.viewport.height}"
                return ActionFailure(FailedReason.OFF_VIEWPORT, f"({x}, {y}) is outside the {size} viewport")
            return TargetPoint(x, y, FrameElement(tab.page.main_frame, {"x": x, "y": y}))
        case MarkRef(mark=mark):
            return await _aim_at_mark(tab, mark)


async def in_view(tab: TabHandle, aimed: TargetPoint, target: Target) -> TargetPoint | None:
    """Locate a target again in case it has moved; None if it is no longer visible."""
    if isinstance(target, Point):
        return aimed
    spot = await _look(tab, aimed.place, "where")
    return TargetPoint(spot.x, spot.y, aimed.place) if spot and spot.seen else None


async def _aim_at_mark(tab: TabHandle, mark: int) -> TargetPoint | ActionFailure:
    place = place_of(tab, mark)
    if place is None:
        return ActionFailure(FailedReason.MARK_GONE, f"there is no mark {mark} in the latest observation with marks")
    spot = await _reveal(tab, place)
    if spot is None:
        return ActionFailure(FailedReason.MARK_GONE, f"the element of mark {mark} is no longer on the page")
    if not (0 <= spot.x < tab.viewport.width and 0 <= spot.y < tab.viewport.height):
        return ActionFailure(FailedReason.OFF_VIEWPORT, f"mark {mark} cannot be scrolled into view")
    return TargetPoint(spot.x, spot.y, place)


async def _reveal(tab: TabHandle, place: FrameElement) -> ViewportPoint | None:
    spot = await _look(tab, place, "reveal", False)
    if place.frame == tab.page.main_frame or spot is None or spot.seen:
        return spot
    spot = await _look(tab, place, "reveal", True)
    # The processes of the parent frames scroll asynchronously.
    with anyio.move_on_after(_SCROLL_SECONDS):
        while spot is not None and not spot.seen:
            await anyio.sleep(0.02)
            spot = await _look(tab, place, "reveal", False)
        # The browser routes mouse events by the last frame rendered.
        await drawn(tab)
    return spot


async def _look(tab: TabHandle, place: FrameElement, operation: str, *args: object) -> ViewportPoint | None:
    found = await apply(tab, place, operation, *args)
    if found is None or found[0] is None:
        return None
    point = found[0]
    mapped = await outward(tab, place.frame, [ViewportPoint(point["x"], point["y"])])
    return mapped[0] if mapped else None

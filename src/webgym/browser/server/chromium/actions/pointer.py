"""Mouse actions."""

from __future__ import annotations

from typing import Any

from webgym.browser.server.chromium.actions.dispatch import Message, send_all
from webgym.browser.server.chromium.actions.keys import MODIFIER_BITS
from webgym.browser.server.chromium.actions.places import TargetPoint, aim, in_view
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.action import Click, Drag, Hover, Modifier, Point, Scroll
from webgym.records.observation import ActionFailure, FailedReason

_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_DRAG_STEPS = 12
_MOST_CLICKS = 5
_FARTHEST_SCROLL = 10**7


async def click(tab: TabHandle, action: Click) -> ActionFailure | None:
    """Move to the target and click it as often as requested."""
    if not 1 <= action.count <= _MOST_CLICKS:
        return ActionFailure(FailedReason.INVALID_VALUE, f"1 to {_MOST_CLICKS} clicks can be made at once")
    at = await aim(tab, action.target)
    if isinstance(at, ActionFailure):
        return at
    await send_all(tab, _click_messages(at, action.button, action.count, action.modifiers))
    return None


async def click_at(tab: TabHandle, at: TargetPoint) -> None:
    """Click once with the left button."""
    await send_all(tab, _click_messages(at))


async def hover(tab: TabHandle, action: Hover) -> ActionFailure | None:
    """Move the mouse to the target."""
    at = await aim(tab, action.target)
    if isinstance(at, ActionFailure):
        return at
    await send_all(tab, [_mouse("mouseMoved", at)])
    return None


async def scroll(tab: TabHandle, action: Scroll) -> ActionFailure | None:
    """Turn the mouse wheel over the target, so that what scrolls is what would for a user."""
    at = await aim(tab, action.target or Point(tab.viewport.width // 2, tab.viewport.height // 2))
    if isinstance(at, ActionFailure):
        return at
    await send_all(tab, [_mouse("mouseWheel", at, deltaX=_bounded(action.dx), deltaY=_bounded(action.dy))])
    return None


async def drag(tab: TabHandle, action: Drag) -> ActionFailure | None:
    """Press, move in small steps and release. Works for native HTML drag and drop as well."""
    ends = await _drag_ends(tab, action)
    if isinstance(ends, ActionFailure):
        return ends
    start, end = ends
    # Playwright's mouse turns these moves into native drag and drop where needed.
    mouse = tab.page.mouse
    await mouse.move(start.x, start.y)
    await mouse.down()
    await mouse.move(end.x, end.y, steps=_DRAG_STEPS)
    # Move to the end twice: some pages accept a drop only where the pointer has lingered.
    await mouse.move(end.x, end.y)
    await mouse.up()
    return None


async def _drag_ends(tab: TabHandle, action: Drag) -> tuple[TargetPoint, TargetPoint] | ActionFailure:
    """Resolve both ends, in view at once: scrolling one into view may move the other."""
    end = await aim(tab, action.end)
    if isinstance(end, ActionFailure):
        return end
    start = await aim(tab, action.start)
    if isinstance(start, ActionFailure):
        return start
    end = await in_view(tab, end, action.end)
    if end is None:
        return ActionFailure(FailedReason.OFF_VIEWPORT, "both ends of the drag cannot be in view at once")
    return start, end


def _bounded(distance: int) -> int:
    return max(-_FARTHEST_SCROLL, min(distance, _FARTHEST_SCROLL))


def _click_messages(
    at: TargetPoint, button: str = "left", count: int = 1, modifiers: tuple[Modifier, ...] = ()
) -> list[Message]:
    held = sum({MODIFIER_BITS[name] for name in modifiers})
    messages = [_mouse("mouseMoved", at, modifiers=held)]
    for n in range(1, count + 1):
        pressed: dict[str, Any] = {"button": button, "clickCount": n, "modifiers": held}
        messages.append(_mouse("mousePressed", at, buttons=_BUTTONS[button], **pressed))
        messages.append(_mouse("mouseReleased", at, buttons=0, **pressed))
    return messages


def _mouse(kind: str, at: TargetPoint, **more: Any) -> Message:
    return "Input.dispatchMouseEvent", {"type": kind, "x": at.x, "y": at.y, **more}

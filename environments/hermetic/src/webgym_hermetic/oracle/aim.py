"""Translates an oracle's intent into the next action: scroll to the element, uncover it, then click or type."""

from __future__ import annotations

from webgym.records.action import Click, Navigate, Point, Scroll, Select, TypeText, Wait
from webgym.records.decision import Decision
from webgym.records.observation import Box, Element, Viewport
from webgym_hermetic.view import Bring, Choose, Home, Intent, Tap, View, Write

_PAGE = 0.75
"""Largest scroll step, as a fraction of the scroll container or the viewport, whichever is smaller."""
_NUDGE = 90
"""Pixels that move an element out from under a sticky bar."""
_DEEPEST = 6
"""Maximum depth of controls that are hidden behind other controls."""


def aim(intent: Intent, view: View, viewport: Viewport) -> Decision:
    """Return the next action towards an intent."""
    match intent:
        case Home():
            return Decision(Navigate(_home(view)), sentence="start over at the home page")
        case Bring(element=element):
            return _bring(element, view, viewport)
        case Tap(element=element) | Write(element=element) | Choose(element=element):
            return _reach(element, view, viewport) or _do(intent)


def _do(intent: Tap | Write | Choose) -> Decision:
    element = intent.element
    point = element.point or _middle(element.box)
    match intent:
        case Tap():
            return Decision(Click(point), element.box, f"click {_name(element)}")
        case Write(text=text, submit=submit):
            action = TypeText(text, target=point, submit=submit)
            return Decision(action, element.box, f"write into {_name(element)}")
        case Choose(option=option):
            return Decision(Select(point, (option,)), element.box, f"choose in {_name(element)}")


def _reach(element: Element, view: View, viewport: Viewport, depth: int = 0) -> Decision | None:
    """Return the action needed before the element can be clicked; None if it can be clicked now."""
    if element.point is not None:
        return None
    if not element.shown:
        opener = view.find(element.via) if element.via else None
        if opener is None or depth >= _DEEPEST:
            return Decision(Wait(0.5), sentence=f"{_name(element)} is not shown yet")
        return _reach(opener, view, viewport, depth + 1) or _do(Tap(opener))
    if element.cover and (remover := view.find(element.cover)) and depth < _DEEPEST:
        return _reach(remover, view, viewport, depth + 1) or _do(Tap(remover))
    return _scroll(element, view, viewport)


def _scroll(element: Element, view: View, viewport: Viewport) -> Decision:
    frame = element.scroller or Box(0, 0, viewport.width, viewport.height)
    down = _towards(element.box.y + element.box.height / 2, frame.y, frame.height, viewport.height, view.stuck)
    across = _towards(element.box.x + element.box.width / 2, frame.x, frame.width, viewport.width)
    inside_x = frame.x <= element.box.x + element.box.width / 2 <= frame.x + frame.width
    target = _over(frame, view, viewport) if element.scroller else None
    scroll = Scroll(dx=0 if inside_x else across, dy=down, target=target)
    return Decision(scroll, sentence=f"scroll to {_name(element)}")


def _towards(place: float, start: float, size: float, limit: int, stuck: int = 0) -> int:
    distance = place - (start + size / 2)
    if abs(distance) < _NUDGE:
        # In view but covered, say by a sticky bar: nudge it, in either direction since one may be at its scroll limit.
        distance = _NUDGE if (distance >= 0) == (stuck % 2 == 0) else -_NUDGE
    most = _PAGE * min(size, limit)
    return int(max(-most, min(most, distance)))


def _bring(element: Element, view: View, viewport: Viewport) -> Decision:
    if element.point is not None:
        return Decision(Wait(0.5), sentence="let the rest of the list load")
    return _scroll(element, view, viewport)


def _over(frame: Box, view: View, viewport: Viewport) -> Point:
    """Return where to turn the wheel: over an uncovered element of the scroll container, nearest to its middle.

    Some elements consume wheel events, so another one is tried when scrolling had no effect.
    """
    middle = _visible_middle(frame, viewport)
    free = [one.point for one in view.elements if one.point and one.tag != "textarea" and _holds(frame, one.point)]
    nearest = sorted(free, key=lambda point: abs(point.x - middle.x) + abs(point.y - middle.y)) or [middle]
    return nearest[view.stuck % len(nearest)]


def _holds(frame: Box, point: Point) -> bool:
    return frame.x <= point.x <= frame.x + frame.width and frame.y <= point.y <= frame.y + frame.height


def _visible_middle(frame: Box, viewport: Viewport) -> Point:
    left, right = max(0.0, frame.x), min(float(viewport.width), frame.x + frame.width)
    top, bottom = max(0.0, frame.y), min(float(viewport.height), frame.y + frame.height)
    return Point(int((left + right) / 2), int((top + bottom) / 2))


def _middle(box: Box) -> Point:
    return Point(int(box.x + box.width / 2), int(box.y + box.height / 2))


def _name(element: Element) -> str:
    return repr(element.text[:40]) if element.text else element.key or element.tag


def _home(view: View) -> str:
    scheme, _, rest = view.url.partition("://")
    host = rest.partition("/")[0]
    own = host.startswith(f"{view.site.name}.localhost")
    return f"{scheme}://{host}/" if own else f"http://{view.site.name}.localhost/"

"""How an oracle gets around in a tracker, from whatever page it is on."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from webgym_hermetic import controls
from webgym_hermetic.families.tracker.listing import FILTERS, chosen
from webgym_hermetic.view import Home, Intent, Tap, View, Write

_CONDITIONS = (*FILTERS, "sort")


def home(view: View) -> Intent:
    """Back to where everything begins."""
    return view.link("/") or Home()


def to_page(view: View, path: str) -> Intent | None:
    """One of the main pages; None when there."""
    if view.path == path:
        return None
    return view.link(path) or home(view)


def to_issue(view: View, key: str, text: str = "") -> Intent | None:
    """The page of an issue, by a link in sight or by search; None when there."""
    path = f"/issue/{key}"
    if view.path == path or view.path.startswith(f"{path}/"):
        return None
    link = view.link(path)
    if link and (link.element.point is not None or view.path == "/search"):
        return link
    wanted = text or key
    if view.path == "/search" and view.query.get("q", "") == wanted:
        return controls.further(view) or home(view)
    field = view.find("field:q")
    return Write(field, wanted, submit=True) if field else home(view)


def to_list(view: View, wanted: Mapping[str, str]) -> Intent | None:
    """The issue list with exactly these filters and this order; None when there."""
    if view.path != "/issues":
        direct = _links_to_lists(view).get(tuple(sorted(wanted.items())))
        return Tap(view.elements[direct]) if direct is not None else view.link("/issues") or home(view)
    current = chosen(view.query)
    if current == dict(wanted):
        return None
    return _set_filters(view, wanted) if view.find("submit:filter") else _follow_filters(view, current, wanted)


def _set_filters(view: View, wanted: Mapping[str, str]) -> Intent | None:
    for name in _CONDITIONS:
        value = wanted.get(name, "updated" if name == "sort" else "")
        step = controls.write(view, "text", value) if name == "q" else controls.choose(view, name, value)
        if step is not None:
            return step
    return view.tap("submit:filter")


def _follow_filters(view: View, current: dict[str, str], wanted: Mapping[str, str]) -> Intent | None:
    best, least = -1, _distance(current, wanted)
    for conditions, index in _links_to_lists(view).items():
        if (distance := _distance(dict(conditions), wanted)) < least:
            best, least = index, distance
    return Tap(view.elements[best]) if best >= 0 else home(view)


def _distance(one: Mapping[str, str], other: Mapping[str, str]) -> int:
    return sum(one.get(name, "") != other.get(name, "") for name in _CONDITIONS)


def _links_to_lists(view: View) -> dict[tuple[tuple[str, str], ...], int]:
    """Where the links to issue lists are, by their filters; the easiest to reach of equal ones."""
    found: dict[tuple[tuple[str, str], ...], int] = {}
    for index, element in enumerate(view.elements):
        parts = urlsplit(element.href)
        if parts.path != "/issues" or element.disabled or element.key.startswith("page:"):
            continue
        if not view.can_be_shown(element):
            continue
        conditions = tuple(sorted(chosen(dict(parse_qsl(parts.query))).items()))
        if conditions not in found or (element.shown and not view.elements[found[conditions]].shown):
            found[conditions] = index
    return found

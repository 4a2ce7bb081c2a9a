"""Getting around a travel site: links, lists with pages, the search box, looking at what a page says."""

from __future__ import annotations

from webgym.records.observation import Element
from webgym_hermetic import controls
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.view import Bring, Home, Intent, Tap, View


def home(view: View) -> Intent:
    """To the first page."""
    return (view.link("/") if view.path != "/" else None) or Home()


def go(view: View, path: str) -> Intent:
    """To a page that the navigation knows. The header stays in sight, so this needs no scrolling."""
    found = [(_effort(view, one), one) for one in view.elements if one.href == path and view.can_be_shown(one)]
    return Tap(min(found, key=lambda pair: pair[0])[1]) if found else home(view)


def link_to(view: View, path: str) -> Tap | None:
    """A link to this path with whatever query: the easiest to reach. Only in lists beyond what is in sight."""
    links = [one for one in view.elements if one.href.partition("?")[0] == path and view.can_be_shown(one)]
    found = [(_effort(view, one), one) for one in links]
    if not found:
        return None
    effort, element = min(found, key=lambda pair: pair[0])
    return Tap(element) if effort < _SCROLL or view.path in _LISTS else None


_LISTS = ("/", "/search", "/stays", "/guides", "/bookings", "/help", "/saved")
_SCROLL = 2


def _effort(view: View, element: Element) -> int:
    """0: in sight. 1: behind an opener that is in sight. 2: elsewhere on the page."""
    if element.point is not None:
        return 0
    opener = view.find(element.via) if element.via and not element.shown else None
    return 1 if opener is not None and opener.point is not None else 2


def turn(view: View, index: int, size: int) -> Intent | None:
    """Towards the page of a list on which its so-manieth row is."""
    wanted = index // size + 1
    if wanted < view.page:
        return view.tap(f"page:{wanted}", "page:previous", "page:1")
    return view.tap(f"page:{wanted}") or controls.further(view)


def search_box(view: View, text: str) -> Intent:
    """Type into the site's search box."""
    return controls.search(view, text) or home(view)


def to_hotel(view: View, hotel: str) -> Intent | None:
    """To a hotel's page; None when there."""
    world: World = view.world
    path = f"/hotel/{hotel}"
    if view.path == path:
        return None
    return _apparent(view, path) or search_box(view, world.hotel[hotel].name)


def to_guide(view: View, city: str) -> Intent | None:
    """To a city's guide; None when there."""
    world: World = view.world
    path = f"/guide/{city}"
    if view.path == path:
        return None
    return _apparent(view, path) or search_box(view, world.city[city].name)


def _apparent(view: View, path: str) -> Tap | None:
    """A link to this path; on the front page, which has too much for anyone to scroll through, only one in sight."""
    tap = link_to(view, path)
    return tap if tap and (tap.element.point is not None or view.path != "/") else None


def to_help(view: View, page: str) -> Intent | None:
    """To an article of the help centre; None when there."""
    path = f"/help/{page}"
    return None if view.path == path else link_to(view, path) or go(view, "/help")


def to_booking(view: View, ref: str) -> Intent | None:
    """To a booking's page; None when there."""
    path = f"/booking/{ref}"
    return None if view.path == path else link_to(view, path) or go(view, "/bookings")


def look(view: View, key: str) -> Intent | None:
    """Scroll or unfold until a part of the page can be seen; wait if it is not there yet. None when it is in sight.

    A menu that lies over it was opened by someone who has seen enough.
    """
    element = view.find(key)
    if element is None:
        return next((Bring(one) for one in view.elements if one.point is not None), None)
    if element.point is not None or (element.shown and element.cover not in ("", *_NUISANCES)):
        return None
    return Tap(element)


_NUISANCES = ("dismiss:cookies", "dismiss:promo")

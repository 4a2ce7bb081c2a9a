"""How one gets around on a forum."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from webgym.records.observation import Element
from webgym_hermetic import controls
from webgym_hermetic.families.forum.listing import grows, url
from webgym_hermetic.families.forum.reading import page_with
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.families.forum.state import State, thread_of
from webgym_hermetic.view import Bring, Home, Intent, Tap, View

_IN_SIGHT, _AT_HAND, _FURTHER_DOWN, _COVERED, _FAR_UP, _OUT_OF_REACH = range(6)
_HEADER = 96
"""Pixels that the head of a page may cover while it is scrolled."""


def first(*intents: Intent | None) -> Intent | None:
    """The first that is one."""
    return next((intent for intent in intents if intent is not None), None)


def link(view: View, path: str) -> Tap | None:
    """A tap on a link to exactly this: one in sight rather than one in a menu at hand, that rather than one far off."""
    found = [element for element in view.elements if element.href == path and view.can_be_shown(element)]
    return Tap(min(found, key=lambda element: _distance(view, element))) if found else None


def _distance(view: View, element: Element) -> int:
    if element.point is not None:
        return _IN_SIGHT
    if element.shown:
        above = _is_above(element) and element.scroller is None
        return _COVERED if element.cover else _FAR_UP if above else _FURTHER_DOWN
    opener = view.find(element.via) if element.via else None
    if opener is None or not opener.shown:
        return _OUT_OF_REACH
    return _AT_HAND if opener.point else _COVERED


def _is_above(element: Element) -> bool:
    """Whether it was scrolled past."""
    top = element.scroller.y if element.scroller else _HEADER
    return element.box.y + element.box.height <= top


def _within(view: View, path: str, distance: int) -> Tap | None:
    """A link that is not further than this; what is above would be gone back to, away from what was looked at."""
    way = link(view, path)
    return way if way and _distance(view, way.element) <= distance else None


def home(view: View) -> Intent:
    """Back to the front page."""
    return link(view, "/") or Home()


def go(view: View, path: str, *stops: str) -> Intent | None:
    """Towards a page by links, over pages from which there is one; None when there."""
    if view.path == path:
        return None
    ahead = [stop for stop in (path, *stops) if stop != view.path]
    return first(*(_within(view, stop, limit) for limit in (_FURTHER_DOWN, _COVERED) for stop in ahead)) or home(view)


def find(view: View, path: str, words: str) -> Intent | None:
    """Towards a page by a link at hand or by searching for it; None when there."""
    if view.path == path:
        return None
    if way := _within(view, path, _COVERED if view.path == "/search" else _AT_HAND):
        return way
    if view.path == "/search" and view.query == {"q": words}:
        return controls.further(view) or home(view)
    return controls.search(view, words) or home(view)


def to_thread(view: View, key: str) -> Intent | None:
    """To the first page of a thread, or whichever is open."""
    thread = thread_of(view.world, view.state, key)
    return find(view, f"/thread/{key}", thread.title if thread else "")


def to_post(view: View, post: str) -> Intent | None:
    """To the page of a thread on which a post is; None when it is on the page."""
    key = post.partition("-")[0]
    if (way := to_thread(view, key)) is not None:
        return way
    if view.find(f"post:{post}") is not None:
        return None
    if grows(view.site):
        return _more(view) or home(view)
    wanted = _page(view, post)
    towards = "page:next" if view.page < wanted else "page:previous"
    return view.tap(f"page:{wanted}", towards) or home(view)


def _more(view: View) -> Intent | None:
    """More of a list that may be folded away."""
    further = controls.further(view)
    if isinstance(further, Bring) and not further.element.shown and (opener := view.find(further.element.via)):
        return Tap(opener)
    return further


def _page(view: View, post: str) -> int:
    world: World = view.world
    state: State = view.state
    thread = thread_of(world, state, post.partition("-")[0])
    return page_with(view.site.structure, world, state, thread, post) if thread else 1


def saw_post(view: View, post: str) -> bool:
    """Whether the page with this post was shown."""
    path, wanted = f"/thread/{post.partition('-')[0]}", _page(view, post)
    if wanted == 1 or grows(view.site):
        return view.visited(path)
    return saw(view, path, page=str(wanted))


def saw(view: View, path: str, **query: str) -> bool:
    """Whether a page was shown with this in its query; an empty value: without it."""
    for visit in view.visits:
        shown, _, rest = visit.partition("?")
        if shown == path and _agrees(dict(parse_qsl(rest)), query):
            return True
    return False


def _agrees(query: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(_said(query, name) == value for name, value in wanted.items())


def _said(query: Mapping[str, str], name: str) -> str:
    """What a query says about something; nothing, if it says what holds anyway."""
    value = query.get(name, "")
    return "" if (name, value) in (("page", "1"), ("sort", "latest"), ("sort", "name")) else value


def look(view: View, key: str) -> Intent | None:
    """Have something on this page in sight: unfold what hides it, scroll down to it.

    Something further up was in sight before, or there would be no way up there: it is not gone back to.
    """
    element = view.find(key)
    if element is None or element.point is not None or element.cover:
        return None
    if not element.shown:
        opener = view.find(element.via) if element.via else None
        return Tap(opener) if opener and not (opener.href and view.visited(opener.href)) else None
    return None if _is_above(element) else Bring(element)


def arrange(view: View, path: str, **wanted: str) -> Intent | None:
    """On a page with a list: set filters and order, by links or by a form; None when they are as wanted."""
    if _agrees(view.query, {**wanted, "page": ""}):
        return None
    kept = {name: _said(view.query, name) for name in wanted}
    for name, value in wanted.items():
        if (kept[name] != value or kept == wanted) and (way := link(view, url(path, {**kept, name: value}))):
            return way
    changes = (
        first(controls.choose(view, name, value), controls.write(view, name, value)) for name, value in wanted.items()
    )
    return first(*changes, view.tap("submit:filter")) or home(view)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same but for spaces."""
    return " ".join(one.split()) == " ".join(other.split())

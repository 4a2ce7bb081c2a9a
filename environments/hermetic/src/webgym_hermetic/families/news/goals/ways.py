"""How an oracle finds its way: links, the search box, lists with pages."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from webgym.records.observation import Element
from webgym_hermetic.controls import further, search
from webgym_hermetic.families.news.find import folded, query_for
from webgym_hermetic.families.news.records import World
from webgym_hermetic.view import Home, Intent, Tap, View

_SCREEN = 400
"""About as much of a page as is in sight, in pixels."""
_DEEPEST = 4
_BEHIND = 4
"""Extra trouble of what lies behind an open menu."""


def link(view: View, path: str) -> Tap | None:
    """A tap on the link to this path that is least trouble: in sight, in a menu, or a few screens away."""
    best: tuple[float, Element] | None = None
    for element in view.elements:
        if element.href == path and not element.disabled:
            trouble = _trouble(view, element)
            if trouble is not None and (best is None or trouble < best[0]):
                best = (trouble, element)
    return Tap(best[1]) if best else None


def _trouble(view: View, element: Element, depth: int = 0) -> float | None:
    """How many actions it takes to be able to click it; None if it cannot be reached."""
    if element.point is not None:
        return 0
    if element.shown:
        away = -element.box.y if element.box.y < 0 else element.box.y - _SCREEN
        behind = element.scroller is None and _menu_is_open(view)
        return 0.5 + max(0.0, away) / _SCREEN + (_BEHIND if behind else 0)
    opener = view.find(element.via) if element.via else None
    if opener is None or depth > _DEEPEST:
        return None
    before = _trouble(view, opener, depth + 1)
    return None if before is None else before + 1


def _menu_is_open(view: View) -> bool:
    close = view.find("dismiss:site")
    return close is not None and close.shown


def home(view: View) -> Intent:
    return link(view, "/") or Home()


def go(view: View, path: str) -> Intent:
    """Towards a page that every page links to."""
    tap = link(view, path)
    if tap is not None:
        return tap
    return home(view) if view.path != "/" else Home()


def go_article(view: View, slug: str, version: str = "") -> Intent:
    """Towards an article: a link to it, on the front page only one in sight, or the search box."""
    world: World = view.world
    href = world.href(slug)
    if version and (tap := link(view, f"{href}?version={version}")):
        return tap
    tap = link(view, href)
    if tap and (tap.element.point is not None or view.path != "/"):
        return tap
    return _search_article(view, slug)


def at_article(view: View, slug: str, version: str = "") -> bool:
    """Whether the page shown is an article, in the right version if one is given."""
    world: World = view.world
    if view.path != world.href(slug):
        return False
    return not version or view.query.get("version", world.by_slug[slug].versions[-1]) == version


def saw_article(world: World, visits: tuple[str, ...], slug: str, version: str = "") -> bool:
    """Whether an article was shown, in the right version if one is given."""
    newest = world.by_slug[slug].versions[-1] if version else ""
    return any(
        query.get("version", newest) == version if version else True
        for path, query in map(split, visits)
        if path == world.href(slug)
    )


def split(address: str) -> tuple[str, dict[str, str]]:
    """Path and query of an address."""
    parts = urlsplit(address)
    return parts.path, dict(parse_qsl(parts.query))


def link_with(view: View, path: str, query: Mapping[str, str], *, ignoring: tuple[str, ...] = ()) -> Intent | None:
    """A tap on a link to a path with exactly this query, in whatever order; easiest first."""
    wanted = {name: value for name, value in query.items() if value}
    for element in view.elements:
        if not element.href.startswith(path):
            continue
        there, values = split(element.href)
        kept = {name: value for name, value in values.items() if name not in ignoring}
        if there == path and kept == wanted and (tap := link(view, element.href)):
            return tap
    return None


def deeper(view: View) -> Intent:
    """Further down a list, or home if it ends here."""
    return further(view) or home(view)


def _search_article(view: View, slug: str) -> Intent:
    world: World = view.world
    text = query_for(world, world.by_slug[slug])
    plain = not any(view.query.get(name) for name in ("section", "author", "period", "version", "tag", "page", "sort"))
    if view.path == "/search" and folded(view.query.get("q", "")) == folded(text) and plain:
        return deeper(view)
    return search(view, text) or home(view)

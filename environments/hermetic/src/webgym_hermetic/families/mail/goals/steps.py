"""How an oracle gets about in a mailbox."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from webgym_hermetic import controls
from webgym_hermetic.families.mail.mailbox import occasions, people, subject
from webgym_hermetic.families.mail.records import FOLDERS, World, label_slug
from webgym_hermetic.families.mail.span import VIEWS, default_view, span
from webgym_hermetic.families.mail.state import State
from webgym_hermetic.view import Home, Intent, Tap, View


def box(view: View) -> tuple[World, State]:
    return view.world, view.state


def place_path(place: str) -> str:
    """Where a folder, or `label:NAME`, is listed."""
    label = place.removeprefix("label:")
    return f"/folder/{place}" if label == place else f"/label/{label_slug(label)}"


def place_title(place: str) -> str:
    """What a request calls it."""
    label = place.removeprefix("label:")
    return f'the label "{label}"' if label != place else next(title for slug, title, _ in FOLDERS if slug == place)


def here(view: View) -> str:
    """The page that is shown: the home page is the inbox."""
    return "/folder/inbox" if view.path == "/" else view.path


def to_page(view: View, path: str) -> Intent | None:
    """A page that the site links to from everywhere; None when there."""
    if here(view) == path:
        return None
    return view.link(path) or home(view)


def home(view: View) -> Intent:
    """A way out of anywhere."""
    for path in ("/folder/inbox", "/"):
        if view.path != path and (tap := view.link(path)):
            return tap
    return Home()


def to_thread(view: View, key: str) -> Intent | None:
    """A conversation, by a link in sight or searching for its subject; None when there."""
    if view.path == f"/thread/{key}":
        return None
    found = view.link(f"/thread/{key}")
    if found and (found.element.point is not None or view.path == "/search"):
        return found
    return _search(view, subject(*box(view), key))


def _search(view: View, text: str) -> Intent:
    if view.path == "/search" and asked(view.query) == {"q": text}:
        return controls.further(view) or home(view)
    return controls.search(view, text) or home(view)


def asked(query: dict[str, str]) -> dict[str, str]:
    """What a search asks for, without what it leaves open."""
    return {name: value for name, value in query.items() if value and name != "page"}


def queries(visits: Iterable[str], path: str) -> list[dict[str, str]]:
    """The queries with which a page was shown."""
    split = [urlsplit(visit) for visit in visits]
    return [asked(dict(parse_qsl(one.query))) for one in split if one.path == path]


def search_for(view: View, text: str) -> Intent | None:
    """A search for these words; None once their results were shown."""
    if {"q": text} in queries(view.visits, "/search"):
        return None
    return _search(view, text)


def to_person(view: View, key: str) -> Intent | None:
    """A contact's page, by paging through the address book; None when there."""
    path = f"/contacts/{key}"
    if view.path == path:
        return None
    if tap := view.link(path):
        return tap
    if view.path != "/contacts" or asked(view.query):
        return view.link("/contacts") or home(view)
    world, state = box(view)
    index = next(index for index, one in enumerate(people(world, state)) if one.id == key)
    page = index // CONTACTS_PER_PAGE + 1
    if view.page > page:
        return view.tap(f"page:{page}", "page:previous") or view.link("/contacts") or home(view)
    return view.tap(f"page:{page}") or controls.further(view) or home(view)


CONTACTS_PER_PAGE = 12


def to_occasion(view: View, key: str) -> Intent | None:
    """An event's page, by turning the pages of the calendar; None when there."""
    path = f"/event/{key}"
    if view.path == path:
        return None
    if tap := view.link(path):
        return tap
    if view.path != "/calendar":
        return view.link("/calendar") or home(view)
    world, state = box(view)
    on = next(one.date for one in occasions(world, state) if one.id == key)
    kind = view.query.get("view", "")
    kind = kind if kind in dict(VIEWS) else default_view(view.site.structure)
    first, last, _, _ = span(kind, view.query.get("date", world.today))
    if kind == "day":
        return view.tap("do:view:list", "do:view:week") or home(view)
    turn = view.tap("do:earlier") if on < first else view.tap("do:later") if on > last else None
    return turn or home(view)


Control = tuple[str, str, str]
"""What kind of control (text, choice, toggle, date), its name, and the value it should have."""


def fill(view: View, wanted: Iterable[Control]) -> Intent | None:
    """The first control that is not as wanted; None when all are."""
    for kind, name, value in wanted:
        match kind:
            case "text":
                intent = controls.write(view, name, value)
            case "choice":
                intent = controls.choose(view, name, value)
            case "toggle":
                intent = controls.switch(view, name, on=value == "on")
            case _:
                intent = controls.pick_date(view, name, value)
        if intent is not None:
            return intent
    return None


def complete(view: View, form: str, wanted: Iterable[Control]) -> Intent | None:
    """Fill in a form and send it; None if it is not on the page."""
    submit = view.find(f"submit:{form}")
    if submit is None:
        return None
    return fill(view, wanted) or Tap(submit)

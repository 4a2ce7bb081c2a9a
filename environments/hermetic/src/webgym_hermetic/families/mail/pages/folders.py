"""Lists of conversations: folders, labels and search."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.mailbox import FILTERS, SORTS, Row, narrowed, people, rows, searched
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.records import FOLDERS, World, label_slug
from webgym_hermetic.families.mail.span import SEARCHED
from webgym_hermetic.family import Data, Event, Go, Missing, Reply, Visit

BULK: dict[str, tuple[dict[str, Any], str]] = {
    "archive": ({"folder": "archive"}, "archived"),
    "inbox": ({"folder": "inbox"}, "moved to the inbox"),
    "trash": ({"folder": "trash"}, "moved to the trash"),
    "spam": ({"folder": "spam"}, "reported as spam"),
    "read": ({"unread": False}, "marked as read"),
    "unread": ({"unread": True}, "marked as unread"),
    "star": ({"starred": True}, "starred"),
    "unstar": ({"starred": False}, "unstarred"),
}
"""What can be done with conversations: the marks it changes, and how a notice says it."""
_SEARCH = ("q", "from", "subject", "files", "after", "before", "folder", "filter", "sort")


@FAMILY.get("/")
def home(visit: Visit) -> Reply:
    del visit
    return Go("/folder/inbox")


@FAMILY.get("/folder/{name}")
def folder(visit: Visit, name: str) -> Reply:
    title = next((title for slug, title, _ in FOLDERS if slug == name), None)
    return _listing(visit, name, title) if title else Missing()


@FAMILY.get("/label/{slug}")
def label(visit: Visit, slug: str) -> Reply:
    world, _ = box(visit)
    name = next((one for one in world.labels if label_slug(one) == slug), None)
    return _listing(visit, f"label:{name}", name) if name else Missing()


@FAMILY.get("/search")
def search(visit: Visit) -> Reply:
    world, state = box(visit)
    asked = {name: visit.query.get(name, "") for name in _SEARCH}
    found = searched(world, state, asked) if any(asked[name] for name in _SEARCH[:-2]) else []
    return framed(
        visit,
        "search.html",
        f"Search: {asked['q']}" if asked["q"] else "Search",
        "/search",
        asked=asked,
        folder="search",
        heading=f"Results for “{asked['q']}”" if asked["q"] else "Search results",
        begun=any(asked[name] for name in _SEARCH[:-2]),
        places=[("", "Anywhere"), *((slug, title) for slug, title, _ in FOLDERS if slug != "drafts")],
        low=(date.fromisoformat(world.today) - timedelta(days=SEARCHED)).isoformat(),
        **_paged(world, found, visit),
    )


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Reply:
    world, state = box(visit)
    found = searched(world, state, {"q": visit.query.get("q", "")})[:5]
    return Data([{"label": row.subject, "href": row.href, "hint": row.who} for row in found])


@FAMILY.get("/people")
def known(visit: Visit) -> Reply:
    """Contacts whose name or address starts with what is being typed."""
    world, state = box(visit)
    typed = visit.query.get("q", "").strip().lower()
    if not typed or any(one.email == typed for one in people(world, state)):
        return Data([])
    found = [
        one
        for one in people(world, state)
        if any(part.startswith(typed) for part in (*one.name.lower().split(), one.email))
    ]
    return Data([{"name": one.name, "email": one.email} for one in found[:4]])


@FAMILY.post("/bulk")
def bulk(visit: Visit) -> Reply:
    world, state = box(visit)
    picked = [one for one in visit.form.get("pick", "").split(",") if one]
    back = visit.form.get("back", "")
    back = back if back.startswith(("/folder/", "/label/", "/search")) else "/folder/inbox"
    action = visit.form.get("action", "")
    if not picked:
        return Go(back, notice="Select at least one conversation first.")
    if action.startswith("label:") and action[6:] in world.labels:
        marks, said = {"label": action[6:]}, f"labelled “{action[6:]}”"
    elif action in BULK:
        marks, said = BULK[action]
    else:
        return Missing()
    known_ids = {row.id for row in rows(world, state, "everything")}
    threads: list[Any] = [one for one in picked if one in known_ids]
    word = "conversation" if len(threads) == 1 else "conversations"
    return Go(back, (Event("mark", {"threads": threads, **marks}),), f"{len(threads)} {word} {said}.")


def _listing(visit: Visit, name: str, title: str) -> Reply:
    world, state = box(visit)
    found = narrowed(rows(world, state, name), visit.query)
    return framed(visit, "list.html", title, visit.path, folder=name, heading=title, **_paged(world, found, visit))


def _paged(world: World, found: list[Row], visit: Visit) -> dict[str, Any]:
    size = world.page_size
    pages = max(1, -(-len(found) // size))
    page = min(pages, int(visit.query.get("page", "1")) if visit.query.get("page", "1").isdecimal() else 1) or 1
    shown = found[(page - 1) * size : page * size]
    kept = {name: value for name, value in visit.query.items() if name != "page" and value}
    return {
        "rows": shown,
        "days": [(day, list(rows)) for day, rows in groupby(shown, key=lambda row: row.at[:10])],
        "total": len(found),
        "first": (page - 1) * size + 1 if shown else 0,
        "page": page,
        "pages": pages,
        "pager_href": f"{visit.path}?{urlencode(kept)}{'&' if kept else ''}page={{page}}",
        "back": f"{visit.path}?{urlencode(dict(visit.query))}" if visit.query else visit.path,
        "filter": _known(visit, "filter", FILTERS),
        "sort": _known(visit, "sort", SORTS),
        "filters": FILTERS,
        "filters_by": dict(FILTERS),
        "sorts_by": dict(SORTS),
        "sorts": SORTS,
        "narrowed": partial(_narrowed, visit.path, kept),
        "kept": {name: value for name, value in kept.items() if name not in ("filter", "sort")},
    }


def _narrowed(path: str, kept: dict[str, str], name: str, value: str) -> str:
    return f"{path}?{urlencode({**kept, name: value})}"


def _known(visit: Visit, name: str, options: tuple[tuple[str, str], ...]) -> str:
    asked = visit.query.get(name, "")
    return asked if asked in dict(options) else options[0][0]

"""Front page and lists of threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.listing import SORTS, Row, arranged, cut, filtered, page_of, rows, url
from webgym_hermetic.families.forum.pages.showing import show, show_part
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.family import Missing, Page, Reply, Visit

_TRENDING = 5
_ONLINE = 9


@FAMILY.get("/")
def front(visit: Visit) -> Reply:
    """Boards and what happened last."""
    world: World = visit.world
    found = rows(world, visit.state)
    boards = [
        {
            "board": board,
            "threads": len(own := [one for one in found if one.thread.board == board.slug]),
            "posts": sum(one.replies + 1 for one in own),
            "last": max(own, key=lambda one: one.last_at, default=None),
        }
        for board in world.boards
    ]
    listing = _listing(visit, "/latest", found, {})
    stats = {"threads": len(found), "posts": sum(one.replies + 1 for one in found), "members": len(world.members)}
    covers = [one for one in arranged(found, "top") if not one.thread.pinned][:4]
    context: dict[str, Any] = {
        **listing,
        "heading": "Latest discussions",
        "board": None,
        "board_rows": boards,
        "stats": stats,
        "covers": covers,
    }
    return show(visit, "front.html", visit.site.brand, **context)


@FAMILY.get("/latest")
def latest(visit: Visit) -> Reply:
    """Threads of all boards."""
    context = _listing(visit, "/latest", rows(visit.world, visit.state), visit.query)
    return show(visit, "listing.html", "All discussions", heading="All discussions", board=None, **context)


@FAMILY.get("/board/{slug}")
def board(visit: Visit, slug: str) -> Reply:
    """Threads of one board."""
    found = visit.world.board_of.get(slug)
    if found is None:
        return Missing()
    own = filtered(rows(visit.world, visit.state), board=slug)
    context = _listing(visit, found.path, own, visit.query)
    return show(visit, "listing.html", found.name, heading=found.name, board=found, **context)


@FAMILY.get("/tags")
def tags(visit: Visit) -> Reply:
    """All tags, and how often they are used."""
    found = rows(visit.world, visit.state)
    counted = [(tag, len(filtered(found, tag=tag))) for tag in sorted(visit.world.tags)]
    return show(visit, "tags.html", "Tags", tags=counted)


@FAMILY.get("/part/trending")
def trending(visit: Visit) -> Page:
    """A box with what gets many replies."""
    found = arranged(rows(visit.world, visit.state), "replies")[:_TRENDING]
    return show_part(visit, "part_trending.html", rows=found)


@FAMILY.get("/part/online")
def online(visit: Visit) -> Page:
    """A box with who is there."""
    found = [member for member in visit.world.members if member.online][:_ONLINE]
    return show_part(visit, "part_online.html", members=found)


def _listing(visit: Visit, path: str, found: list[Row], query: Mapping[str, str]) -> dict[str, Any]:
    world: World = visit.world
    sort = query.get("sort", "latest")
    sort = sort if sort in dict(SORTS) else "latest"
    tag = query.get("tag", "")
    used = [name for name in world.tags if any(name in one.thread.tags for one in found)]
    chosen = arranged(filtered(found, tag=tag), sort)
    page, pages = page_of(query, len(chosen), world.list_size)
    kept = {"sort": "" if sort == "latest" else sort, "tag": tag}
    return {
        "rows": cut(chosen, page, world.list_size),
        "count": len(chosen),
        "page": page,
        "pages": pages,
        "sort": sort,
        "tag": tag,
        "used_tags": used,
        "base": path,
        "sorts": SORTS,
        "sort_links": [
            (url(path, {**kept, "sort": "" if key == "latest" else key}), text, key == sort) for key, text in SORTS
        ],
        "tag_links": [(url(path, {**kept, "tag": "" if one == tag else one}), one, one == tag) for one in used],
        "href": url(path, {**kept, "page": "PAGE"}).replace("PAGE", "{page}"),
    }

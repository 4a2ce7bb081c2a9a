"""Search: threads and members, with filters."""

from __future__ import annotations

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.listing import (
    SORTS,
    arranged,
    cut,
    filtered,
    page_of,
    people_found,
    rows,
    searched,
    url,
)
from webgym_hermetic.families.forum.pages.showing import show
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.family import Data, Reply, Visit

_MOST_PEOPLE = 6
_MOST_SUGGESTIONS = 6
_SORTS = (("best", "Best match"), *SORTS[1:4])


@FAMILY.get("/search")
def search(visit: Visit) -> Reply:
    """What was found."""
    world: World = visit.world
    asked = {name: visit.query.get(name, "").strip() for name in ("q", "board", "author", "tag", "sort")}
    found = searched(rows(world, visit.state), asked["q"])
    chosen = filtered(found, board=asked["board"], tag=asked["tag"], author=asked["author"].lower())
    if asked["sort"] and asked["sort"] != "best":
        chosen = arranged(chosen, asked["sort"])
    page, pages = page_of(visit.query, len(chosen), world.list_size)
    kept = {name: value for name, value in asked.items() if value}
    return show(
        visit,
        "search.html",
        f"Search: {asked['q']}" if asked["q"] else "Search",
        asked=asked,
        rows=cut(chosen, page, world.list_size),
        count=len(chosen),
        page=page,
        pages=pages,
        people=people_found(world, asked["q"])[:_MOST_PEOPLE],
        board_options=[("", "All boards"), *((board.slug, board.name) for board in world.boards)],
        tag_options=[("", "Any tag"), *((tag, tag) for tag in world.tags)],
        sort_options=_SORTS,
        filtered=bool(asked["board"] or asked["author"] or asked["tag"]),
        href=url("/search", {**kept, "page": "PAGE"}).replace("PAGE", "{page}"),
    )


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Data:
    """Titles and names that fit what is being typed."""
    text = visit.query.get("q", "")
    titles = searched(rows(visit.world, visit.state), text)[:_MOST_SUGGESTIONS]
    people = people_found(visit.world, text)[:2]
    return Data(
        [
            *({"label": one.thread.title, "href": one.thread.path, "hint": one.board} for one in titles),
            *({"label": member.handle, "href": member.path, "hint": "Member"} for member in people),
        ]
    )

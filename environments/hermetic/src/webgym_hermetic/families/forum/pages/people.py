"""Members: the directory and their profiles."""

from __future__ import annotations

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.listing import (
    MEMBER_SORTS,
    MEMBERS_SIZE,
    arranged,
    cut,
    filtered,
    matching,
    page_of,
    people_sorted,
    rows,
    url,
)
from webgym_hermetic.families.forum.pages.showing import back_to, show
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit


@FAMILY.get("/members")
def members(visit: Visit) -> Reply:
    """Everybody, in the order asked for."""
    world: World = visit.world
    sort = visit.query.get("sort", "name")
    sort = sort if sort in dict(MEMBER_SORTS) else "name"
    find = visit.query.get("find", "").strip()
    chosen = people_sorted(matching(world.members, find), sort)
    page, pages = page_of(visit.query, len(chosen), MEMBERS_SIZE)
    kept = {"sort": "" if sort == "name" else sort, "find": find}
    return show(
        visit,
        "members.html",
        "Members",
        members=cut(chosen, page, MEMBERS_SIZE),
        count=len(chosen),
        page=page,
        pages=pages,
        sort=sort,
        sorts=MEMBER_SORTS,
        find=find,
        sort_links=[
            (url("/members", {**kept, "sort": "" if key == "name" else key}), text, key == sort)
            for key, text in MEMBER_SORTS
        ],
        href=url("/members", {**kept, "page": "PAGE"}).replace("PAGE", "{page}"),
    )


@FAMILY.get("/member/{handle}")
def member(visit: Visit, handle: str) -> Reply:
    """A profile."""
    world: World = visit.world
    found = world.member_of.get(handle)
    if found is None:
        return Missing()
    threads = arranged(filtered(rows(world, visit.state), author=handle), "new")
    context = {"member": found, "threads": threads, "followed": handle in visit.state.friends, "own": found == world.me}
    return show(visit, "member.html", handle, gear_label=world.bank.gear_label, **context)


@FAMILY.post("/member/{handle}/follow")
def follow(visit: Visit, handle: str) -> Reply:
    """Follow a member, or stop following."""
    on = handle not in visit.state.friends
    notice = f"You follow {handle} now." if on else f"You no longer follow {handle}."
    return Go(back_to(visit, f"/member/{handle}"), (Event("befriend", {"member": handle, "on": on}),), notice=notice)

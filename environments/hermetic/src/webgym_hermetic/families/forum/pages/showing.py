"""What all pages of a forum have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webgym_hermetic.families.forum.listing import url
from webgym_hermetic.families.forum.records import Member, World
from webgym_hermetic.families.forum.state import State
from webgym_hermetic.family import Page, Visit

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MOST_RADIOS = 7
NAV = (
    ("/", "Home", "home"),
    ("/latest", "Latest", "messages-square"),
    ("/tags", "Tags", "tags"),
    ("/members", "Members", "users"),
    ("/events", "Meetups", "calendar"),
    ("/rules", "Rules and FAQ", "help"),
)
MINE = (
    ("/messages", "Messages", "mail"),
    ("/notifications", "Notifications", "bell"),
    ("/bookmarks", "Bookmarks", "bookmark"),
    ("/following", "Following", "eye"),
    ("/settings/profile", "Settings", "settings"),
)


def show(visit: Visit, template: str, title: str, /, **context: Any) -> Page:
    """A page with all that frames need."""
    return Page(template, title, {**_common(visit), **context})


def show_part(visit: Visit, template: str, /, **context: Any) -> Page:
    """A piece of a page that is fetched later."""
    return Page(template, visit.site.brand, {**_common(visit), **context}, part=True)


def _common(visit: Visit) -> dict[str, Any]:
    world: World = visit.world
    state: State = visit.state

    def written(at: str) -> str:
        return when(at, world.today)

    def who(handle: str) -> Member:
        return world.member_of[handle]

    return {
        "nav": NAV,
        "all_nav": (*NAV, *((board.path, board.name, board.icon) for board in world.boards)),
        "mine": MINE,
        "me": world.me,
        "boards": world.boards,
        "unseen": len([one for one in world.notifications if one.id not in state.seen]),
        "url": url,
        "when": written,
        "person": who,
        "here": here(visit),
    }


def when(at: str, today: str) -> str:
    """A time as people write it: with the hour if it is recent, with the year if it is long ago."""
    year, month, day = at[:10].split("-")
    date = f"{_MONTHS[int(month) - 1]} {int(day)}"
    if at[:10] == today:
        return f"Today, {at[11:]}"
    return f"{date}, {at[11:]}" if year == today[:4] else f"{date}, {year}"


def choosable(visit: Visit, options: Sequence[tuple[str, str]], prompt: str) -> list[tuple[str, str]]:
    """Options of which none is chosen at first: with a line that says so, where the control needs one."""
    bare = visit.site.controls.choice == "radio" and len(options) <= _MOST_RADIOS
    return list(options) if bare else [("", prompt), *options]


def here(visit: Visit) -> str:
    """The address of this page, to come back to after a form."""
    return url(visit.path, visit.query)


def back_to(visit: Visit, otherwise: str) -> str:
    """Where a form wants to return to."""
    back = visit.form.get("back", "")
    return back if back.startswith("/") and not back.startswith("//") else otherwise

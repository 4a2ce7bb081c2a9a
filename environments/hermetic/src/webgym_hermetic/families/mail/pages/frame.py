"""What all pages show around their content."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Any

from webgym_hermetic.families.mail.mailbox import unread
from webgym_hermetic.families.mail.records import FOLDERS, World, label_slug
from webgym_hermetic.families.mail.state import State
from webgym_hermetic.family import Page, Visit

APPS: tuple[tuple[str, str, str], ...] = (
    ("/contacts", "Contacts", "users"),
    ("/calendar", "Calendar", "calendar-days"),
    ("/settings", "Settings", "settings"),
)


def framed(visit: Visit, template: str, title: str, here: str, **context: Any) -> Page:
    """A page with folders and labels beside it. `here` is the address of the part of the site it belongs to."""
    world, state = box(visit)
    counts = unread(world, state)
    return Page(
        template,
        title,
        {
            "here": here,
            "folders": [(f"/folder/{name}", label, icon, counts[name]) for name, label, icon in FOLDERS],
            "labels": [(f"/label/{label_slug(name)}", name, index) for index, name in enumerate(world.labels)],
            "apps": APPS,
            "owner": world.owner,
            "density": state.settings.density,
            "when": partial(when, today=world.today),
            "tone": world.labels.index,
            "folder_name": partial(_part_name, world),
            "last_day": (date.fromisoformat(world.today) + timedelta(days=120)).isoformat(),
            **context,
        },
    )


def _part_name(world: World, here: str) -> str:
    """What a part of the site is called."""
    names = {f"/folder/{slug}": title for slug, title, _ in FOLDERS}
    names |= {f"/label/{label_slug(name)}": name for name in world.labels}
    return names.get(here, "Folders")


def box(visit: Visit) -> tuple[World, State]:
    return visit.world, visit.state


def when(at: str, today: str) -> str:
    """How a list shows a time: 09:32 of today, Mar 14 of this year."""
    if at[:10] == today:
        return at[11:]
    day = date.fromisoformat(at[:10])
    return f"{day:%b} {day.day}"

"""What belongs to the account: lists, notifications and settings."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.listing import row
from webgym_hermetic.families.forum.pages.showing import show
from webgym_hermetic.families.forum.state import OPTIONS, SECTIONS, Settings, State, thread_of
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

_LONGEST_NAME = 30
_TITLES = {"profile": "Profile", "notifications": "Notifications", "privacy": "Privacy"}
LABELS = {
    "display_name": "Display name",
    "location": "Location",
    "signature": "Signature",
    "theme": "Theme",
    "digest": "Email digest",
    "digest_day": "Day of the digest",
    "visibility": "Who can see my profile",
    "messages_from": "Who can send me messages",
    "show_online": "Show when I am online",
    "show_location": "Show my location",
    "on_reply": "Replies to my threads",
    "on_mention": "Mentions of my name",
    "on_quote": "Quotes of my posts",
    "on_vote": "Votes on my posts",
    "on_event": "Meetups near me",
    "newsletter": "Monthly newsletter",
}


@FAMILY.get("/bookmarks")
def bookmarks(visit: Visit) -> Reply:
    """Threads kept for later."""
    return show(visit, "kept.html", "Bookmarks", rows=_rows(visit, visit.state.bookmarks), kind="bookmark", friends=())


@FAMILY.get("/following")
def following(visit: Visit) -> Reply:
    """Threads and members that are followed."""
    friends = [visit.world.member_of[handle] for handle in reversed(visit.state.friends)]
    return show(
        visit, "kept.html", "Following", rows=_rows(visit, visit.state.following), kind="follow", friends=friends
    )


def _rows(visit: Visit, keys: tuple[str, ...]) -> list[object]:
    found = [thread_of(visit.world, visit.state, key) for key in reversed(keys)]
    return [row(visit.world, visit.state, thread) for thread in found if thread]


@FAMILY.get("/notifications")
def notifications(visit: Visit) -> Reply:
    """What happened."""
    return show(visit, "notifications.html", "Notifications")


@FAMILY.post("/notifications")
def seen(visit: Visit) -> Reply:
    """Mark everything as read."""
    del visit
    return Go("/notifications", (Event("seen"),), notice="Everything is marked as read.")


@FAMILY.get("/settings/{section}")
def settings(visit: Visit, section: str) -> Reply:
    """One page of the settings."""
    state: State = visit.state
    return _page(visit, section, msgspec.structs.asdict(state.settings), {})


@FAMILY.post("/settings/{section}")
def save(visit: Visit, section: str) -> Reply:
    """Save one page of the settings."""
    if section not in SECTIONS:
        return Missing()
    flags = {name: visit.form.get(name) == "on" for name in SECTIONS[section] if _is_flag(name)}
    texts = {name: visit.form.get(name, "").strip() for name in SECTIONS[section] if not _is_flag(name)}
    errors: dict[str, str] = {}
    if "display_name" in texts and not 2 <= len(texts["display_name"]) <= _LONGEST_NAME:
        errors["display_name"] = f"A display name has 2 to {_LONGEST_NAME} characters."
    longest = next(rule.value for rule in visit.world.rules if rule.id == "signature")
    if len(texts.get("signature", "")) > longest:
        errors["signature"] = f"At most {longest} characters, please."
    errors |= {
        name: "Choose one of these." for name in texts if name in OPTIONS and texts[name] not in dict(OPTIONS[name])
    }
    if errors:
        return _page(visit, section, {**msgspec.structs.asdict(visit.state.settings), **texts, **flags}, errors)
    return Go(f"/settings/{section}", (Event("settings", {**texts, **flags}),), notice="Your settings were saved.")


def _is_flag(name: str) -> bool:
    return isinstance(getattr(Settings(), name), bool)


def _page(visit: Visit, section: str, values: Mapping[str, object], errors: dict[str, str]) -> Reply:
    if section not in SECTIONS:
        return Missing()
    return show(
        visit,
        "settings.html",
        f"Settings: {_TITLES[section]}",
        section=section,
        sections=[(f"/settings/{key}", title, key) for key, title in _TITLES.items()],
        names=SECTIONS[section],
        labels=LABELS,
        options=OPTIONS,
        values=values,
        errors=errors,
        is_flag=_is_flag,
    )

"""The calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from webgym_hermetic.families.mail.addressing import resolved
from webgym_hermetic.families.mail.diary import CALENDARS
from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.mailbox import occasions
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.records import LENGTHS, REMINDERS, Occasion
from webgym_hermetic.families.mail.span import VIEWS, default_view, span
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

_FIELDS = ("title", "date", "start", "minutes", "location", "guests", "reminder", "calendar", "notes")
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})\s*([ap]m)?", re.IGNORECASE)


@FAMILY.get("/calendar")
def calendar(visit: Visit) -> Reply:
    world, state = box(visit)
    view = visit.query.get("view", "")
    view = view if view in dict(VIEWS) else default_view(visit.site.structure)
    at = visit.query.get("date", world.today)
    if not _is_date(at):
        return Missing()
    first, last, earlier, later = span(view, at)
    found = [one for one in occasions(world, state) if first <= one.date <= last]
    start = date.fromisoformat(first)
    days = [(start + timedelta(days=index)).isoformat() for index in range((date.fromisoformat(last) - start).days + 1)]
    by_day = [(day, [one for one in found if one.date == day]) for day in days]
    return framed(
        visit,
        "calendar.html",
        "Calendar",
        "/calendar",
        view=view,
        views=VIEWS,
        at=at,
        days=by_day if view != "list" else [(day, some) for day, some in by_day if some],
        heading=_heading(view, first, last),
        earlier=earlier,
        later=later,
        today=world.today,
    )


def _heading(view: str, first: str, last: str) -> str:
    one, other = date.fromisoformat(first), date.fromisoformat(last)
    match view:
        case "day":
            return f"{one:%A}, {one:%B} {one.day}, {one.year}"
        case "week":
            return f"{one:%b} {one.day} \u2013 {other:%b} {other.day}, {other.year}"
        case _:
            return f"{one:%B} {one.year}"


@FAMILY.get("/event/new")
def new_event(visit: Visit) -> Reply:
    world, _ = box(visit)
    on = visit.query.get("date", "")
    values = dict.fromkeys(_FIELDS, "") | {
        "date": on if _is_date(on) else world.today,
        "start": "09:00",
        "minutes": "60",
    }
    return _form(visit, values | {"reminder": "15", "calendar": "Work"}, {}, "")


@FAMILY.post("/event/new")
def add_event(visit: Visit) -> Reply:
    return _saved(visit, "")


@FAMILY.get("/event/{key}")
def event(visit: Visit, key: str) -> Reply:
    world, _ = box(visit)
    found = _known(visit, key)
    if found is None:
        return Missing()
    guests = [(address, world.named(address)) for address in found.guests]
    return framed(
        visit,
        "event.html",
        found.title,
        "/calendar",
        event=found,
        guests=guests,
        contacts={one.email: one.id for one in world.people},
    )


@FAMILY.get("/event/{key}/edit")
def edit_event(visit: Visit, key: str) -> Reply:
    found = _known(visit, key)
    if found is None:
        return Missing()
    values = {name: str(getattr(found, name)) for name in _FIELDS} | {"guests": ", ".join(found.guests)}
    return _form(visit, values, {}, key)


@FAMILY.post("/event/{key}/edit")
def save_event(visit: Visit, key: str) -> Reply:
    return _saved(visit, key) if _known(visit, key) else Missing()


@FAMILY.post("/event/{key}/cancel")
def cancel_event(visit: Visit, key: str) -> Reply:
    found = _known(visit, key)
    if found is None:
        return Missing()
    said = "The event is on again." if found.cancelled else "The event was cancelled."
    return Go(f"/event/{key}", (Event("occasion", {"occasion": key, "cancelled": not found.cancelled}),), said)


def _known(visit: Visit, key: str) -> Occasion | None:
    world, state = box(visit)
    return next((one for one in occasions(world, state) if one.id == key), None)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def clock(text: str) -> str:
    """A time of day as 14:30, or nothing if it is none."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return ""
    hour, minute, half = int(match[1]), int(match[2]), (match[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else ""


def _saved(visit: Visit, key: str) -> Reply:
    world, state = box(visit)
    values = {name: visit.form.get(name, "").strip() for name in _FIELDS}
    guests = resolved(world, state, values["guests"])
    errors: dict[str, str] = {}
    if not values["title"]:
        errors["title"] = "Please enter a title."
    if not _is_date(values["date"]):
        errors["date"] = "Please enter the date as YYYY-MM-DD."
    if not clock(values["start"]):
        errors["start"] = "Please enter a time such as 14:30."
    if guests is None:
        errors["guests"] = "This is not a valid e-mail address or the name of a contact."
    for name, known in (("minutes", LENGTHS), ("reminder", REMINDERS)):
        if values[name] not in {str(number) for number, _ in known}:
            errors[name] = "Please choose one of these."
    if values["calendar"] not in CALENDARS:
        errors["calendar"] = "Please choose a calendar."
    if errors:
        return _form(visit, values, errors, key)
    args: dict[str, Any] = {**values, "start": clock(values["start"]), "guests": list(guests or ()), "occasion": key}
    args |= {"minutes": int(values["minutes"]), "reminder": int(values["reminder"])}
    to = f"/event/{key or f'n{state.count + 1}'}"
    return Go(to, (Event("occasion", args),), "Event saved." if key else "Event added to your calendar.")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str], key: str) -> Reply:
    world, _ = box(visit)
    today = date.fromisoformat(world.today)
    return framed(
        visit,
        "event_form.html",
        "Edit event" if key else "New event",
        "/calendar",
        key=key,
        values=values,
        errors=errors,
        lengths=LENGTHS,
        reminders=REMINDERS,
        calendars=[(one, one) for one in CALENDARS],
        low=(today - timedelta(days=60)).isoformat(),
        high=(today + timedelta(days=200)).isoformat(),
        action=f"/event/{key}/edit" if key else "/event/new",
    )

"""Bookings of the account: look at them, change them, cancel them, take them up again."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from webgym_hermetic.families.travel import finding
from webgym_hermetic.families.travel.describing import summary
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.pages.book import extras_context, form_values, read_contact, read_extras
from webgym_hermetic.families.travel.state import Booking, Draft, State, Stay, fits
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/bookings")
def bookings(visit: Visit) -> Reply:
    """All of them, those that were cancelled last."""
    world: World = visit.world
    state: State = visit.state
    rows = [(booking, summary(world, _draft(booking))) for booking in reversed(state.bookings)]
    rows.sort(key=lambda row: row[0].cancelled)
    return Page("bookings.html", "My bookings", {"rows": rows})


@FAMILY.get("/booking/{ref}")
def booking_page(visit: Visit, ref: str) -> Reply:
    """One booking, with forms to change it."""
    return _booking(visit, ref, {}, {})


@FAMILY.post("/booking/{ref}")
def amend(visit: Visit, ref: str) -> Reply:
    """Change contact, extras or dates."""
    state: State = visit.state
    try:
        booking = state.booking(ref)
    except KeyError:
        return Missing()
    form = visit.form
    match form.get("part"):
        case "contact":
            args, errors = read_contact(form)
            events = (Event("amended", {"ref": ref, **args}),)
            notice = "Contact details updated"
        case "extras":
            request = form.get("request", "").strip()
            events = (Event("amended", {"ref": ref, **read_extras(booking.what, form), "request": request}),)
            errors, notice = {}, "Booking updated"
        case "dates" if isinstance(booking.what, Stay):
            errors = _date_errors(visit.world, booking.what, form)
            dates = {"checkin": form.get("checkin", ""), "checkout": form.get("checkout", "")}
            events, notice = (Event("moved", {"ref": ref, **dates}),), "Dates changed"
        case _:
            return Missing()
    if errors:
        return _booking(visit, ref, form, errors)
    return Go(f"/booking/{ref}", events, notice)


@FAMILY.post("/booking/{ref}/cancel")
def cancel(visit: Visit, ref: str) -> Reply:
    """Cancel a booking. It can be taken up again."""
    if not _exists(visit, ref):
        return Missing()
    return Go(f"/booking/{ref}", (Event("cancelled", {"ref": ref}),), "Booking cancelled")


@FAMILY.post("/booking/{ref}/restore")
def restore(visit: Visit, ref: str) -> Reply:
    """Take up a cancelled booking again."""
    if not _exists(visit, ref):
        return Missing()
    return Go(f"/booking/{ref}", (Event("restored", {"ref": ref}),), "Booking restored")


def _exists(visit: Visit, ref: str) -> bool:
    state: State = visit.state
    return any(booking.ref == ref for booking in state.bookings)


def _date_errors(world: World, stay: Stay, form: Mapping[str, str]) -> dict[str, str]:
    raw = {name: form.get(name, "") for name in ("checkin", "checkout")}
    query, errors = finding.read_stay(world, {**raw, "dest": world.hotel[stay.hotel].city})
    if errors:
        return errors
    if not query.checkin:
        return {"checkin": "Choose a check-in date."}
    why = fits(world, replace(stay, checkin=query.checkin, checkout=query.checkout))
    return {"checkin": why} if why else {}


def _booking(visit: Visit, ref: str, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world: World = visit.world
    state: State = visit.state
    try:
        booking = state.booking(ref)
    except KeyError:
        return Missing()
    what = booking.what
    kept = form_values(_draft(booking))
    part = form.get("part", "")
    dates = {"checkin": what.checkin, "checkout": what.checkout} if isinstance(what, Stay) else {}
    context = {
        **extras_context(world, what),
        "booking": booking,
        "summary": summary(world, _draft(booking)),
        "values": {**kept, **dates, **(form if part in ("contact", "dates") else {})},
        "errors": errors,
        "part_name": part,
    }
    return Page("booking.html", f"Booking {ref}", context)


def _draft(booking: Booking) -> Draft:
    return Draft(what=booking.what, details=booking.details)

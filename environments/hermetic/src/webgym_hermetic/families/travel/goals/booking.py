"""Filling in the booking form, whatever its steps."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.state import Booking, Details, State, Stay, Trip
from webgym_hermetic.view import Intent, View


def latest(state: State, kind: type[Stay | Trip]) -> Booking | None:
    """The newest booking of this session that still stands."""
    for booking in reversed(state.bookings):
        if booking.new and not booking.cancelled and isinstance(booking.what, kind):
            return booking
    return None


def same_text(one: str, other: str) -> bool:
    """Whether two texts say the same, whatever their spacing and capitals."""
    return " ".join(one.lower().split()).rstrip(".") == " ".join(other.lower().split()).rstrip(".")


def other_value(field: str, value: str) -> str:
    """Something else to enter into a field of the form."""
    match field:
        case "name":
            return f"{value[:-1]}son"
        case "email":
            return f"info.{value}"
        case "phone":
            return f"{value}9"
        case "arrival":
            return "16-18" if value != "16-18" else "18-20"
        case "seat":
            return "aisle" if value != "aisle" else "window"
        case "payment":
            return "wallet" if value != "wallet" else "transfer"
        case _:
            return "Nothing special, thank you"


def is_form(view: View) -> bool:
    return view.path == "/book" or view.path.startswith("/book/")


def fill(view: View, wanted: Details, *, stay: bool) -> Intent | None:
    """The next control of the form that is not as wanted; then on."""
    state: State = view.state
    if state.draft is None:
        return None
    if back := _step_back(view, state.draft.details, wanted):
        return back
    offered = words.STAY_EXTRAS if stay else words.TRIP_EXTRAS
    steps = (
        *(controls.write(view, f"name{number}", name) for number, name in enumerate(wanted.names, start=1)),
        controls.write(view, "email", wanted.email),
        controls.write(view, "phone", wanted.phone),
        *(controls.switch(view, f"extra-{key}", on=key in wanted.extras) for key, _, _ in offered),
        controls.choose(view, "arrival", wanted.arrival) if stay else controls.choose(view, "seat", wanted.seat),
        None if stay else controls.count(view, "bags", wanted.bags),
        controls.write(view, "request", wanted.request),
        controls.choose(view, "payment", wanted.payment),
        controls.switch(view, "terms", on=True),
        view.tap("submit:book"),
    )
    return next((step for step in steps if step), None)


def _step_back(view: View, saved: Details, wanted: Details) -> Intent | None:
    """To an earlier step, if what was said there is wrong."""
    step = view.path.removeprefix("/book/")
    same_extras = replace(saved, extras=tuple(sorted(saved.extras)), payment="")
    wanted_extras = replace(wanted, extras=tuple(sorted(wanted.extras)), payment="")
    guests_wrong = (saved.names, saved.email, saved.phone) != (wanted.names, wanted.email, wanted.phone)
    if step in ("extras", "payment") and guests_wrong:
        return view.link("/book/guests") or view.link("/book/extras")
    if step == "payment" and same_extras != wanted_extras:
        return view.link("/book/extras")
    return None

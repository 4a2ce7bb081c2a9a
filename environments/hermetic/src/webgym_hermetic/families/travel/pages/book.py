"""The booking form, on one page or in steps, and the confirmation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.describing import payments, summary
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.pages.hotel import BOOK_STEPS, first_step
from webgym_hermetic.families.travel.state import BAG_CENTS, MOST_BAGS, Draft, State, Stay, Trip, reference
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Scalar, Visit

STEP_TITLES = {"guests": "Your details", "extras": "Extras", "payment": "Payment", "all": "Complete your booking"}
Args = dict[str, Scalar | list[Scalar]]


@FAMILY.get("/book")
def book(visit: Visit) -> Reply:
    """The whole form, or its first step."""
    if BOOK_STEPS.get(visit.site.structure):
        return Go(first_step(visit.site.structure))
    return _form(visit, "all", {}, {})


@FAMILY.post("/book")
def confirm(visit: Visit) -> Reply:
    """Book, if everything is filled in."""
    return _taken(visit, "all")


@FAMILY.get("/book/{step}")
def book_step(visit: Visit, step: str) -> Reply:
    """One step of the form."""
    return _form(visit, step, {}, {}) if step in _steps(visit) else Missing()


@FAMILY.post("/book/{step}")
def take_step(visit: Visit, step: str) -> Reply:
    """On to the next step, if this one is filled in."""
    return _taken(visit, step) if step in _steps(visit) else Missing()


@FAMILY.get("/booked/{ref}")
def booked(visit: Visit, ref: str) -> Reply:
    """The confirmation."""
    world: World = visit.world
    state: State = visit.state
    try:
        booking = state.booking(ref)
    except KeyError:
        return Missing()
    context = {"booking": booking, "summary": summary(world, Draft(what=booking.what, details=booking.details))}
    return Page("booked.html", "Booking confirmed", context)


def _steps(visit: Visit) -> tuple[str, ...]:
    return BOOK_STEPS.get(visit.site.structure, ())


def _taken(visit: Visit, step: str) -> Reply:
    world: World = visit.world
    state: State = visit.state
    if state.draft is None:
        return Go("/")
    args, errors = read_details(state.draft, visit.form, step)
    steps = _steps(visit) or ("all",)
    last = step == steps[-1]
    if last and visit.form.get("terms") != "on":
        errors["terms"] = "Please accept the terms to continue."
    if last and not errors and step != "all" and not all(state.draft.details.names):
        return Go(f"/book/{steps[0]}", (), "Please fill in all names first")
    if errors:
        return _form(visit, step, visit.form, errors)
    filled = Event("filled", args)
    if not last:
        return Go(f"/book/{steps[steps.index(step) + 1]}", (filled,))
    ref = reference(world, len(state.bookings))
    return Go(f"/booked/{ref}", (filled, Event("booked")), "Your booking is confirmed")


def read_details(draft: Draft, form: Mapping[str, str], step: str) -> tuple[Args, dict[str, str]]:
    """What a step of the form says, and what is wrong with it."""
    args: Args = {}
    errors: dict[str, str] = {}
    if step in ("guests", "all"):
        names = [form.get(f"name{number + 1}", "").strip() for number in range(len(draft.details.names))]
        errors |= {
            f"name{number + 1}": "Enter first and last name." for number, name in enumerate(names) if " " not in name
        }
        args["names"] = [*names]
        contact, wrong = read_contact(form)
        args |= contact
        errors |= wrong
    if step in ("extras", "all"):
        args |= read_extras(draft.what, form)
        args["request"] = form.get("request", "").strip()
    if step in ("payment", "all"):
        payment = form.get("payment", "")
        args["payment"] = payment
        if payment not in {key for key, _ in words.PAYMENTS}:
            errors["payment"] = "Choose how to pay."
    return args, errors


def read_contact(form: Mapping[str, str]) -> tuple[Args, dict[str, str]]:
    """E-mail and phone, and what is wrong with them."""
    email, phone = form.get("email", "").strip(), form.get("phone", "").strip()
    errors: dict[str, str] = {}
    name, at, host = email.partition("@")
    if not (name and at and "." in host) or " " in email:
        errors["email"] = "Enter a valid e-mail address."
    if sum(letter.isdigit() for letter in phone) < 6:
        errors["phone"] = "Enter a phone number."
    return {"email": email, "phone": phone}, errors


def read_extras(what: Stay | Trip, form: Mapping[str, str]) -> Args:
    """Extras, arrival, seat and luggage."""
    offered = words.STAY_EXTRAS if isinstance(what, Stay) else words.TRIP_EXTRAS
    args: Args = {"extras": [key for key, _, _ in offered if form.get(f"extra-{key}") == "on"]}
    if isinstance(what, Stay):
        arrival = form.get("arrival", "")
        return {**args, "arrival": arrival if arrival in dict(words.ARRIVALS) else ""}
    seat, bags = form.get("seat", ""), form.get("bags", "")
    count = int(bags) if bags.isascii() and bags.isdecimal() and len(bags) < 3 else 0
    return {**args, "seat": seat if seat in dict(words.SEATS) else "", "bags": min(count, MOST_BAGS)}


def form_values(draft: Draft) -> dict[str, Any]:
    """What a form shows before anyone typed."""
    details = draft.details
    return {
        **{f"name{number + 1}": name for number, name in enumerate(details.names)},
        "email": details.email,
        "phone": details.phone,
        **{f"extra-{key}": "on" for key in details.extras},
        "arrival": details.arrival,
        "seat": details.seat,
        "bags": details.bags,
        "request": details.request,
        "payment": details.payment,
    }


def extras_context(world: World, what: Stay | Trip) -> dict[str, Any]:
    """Options of the form that depend on what is booked."""
    return {
        "is_stay": isinstance(what, Stay),
        "extras": words.STAY_EXTRAS if isinstance(what, Stay) else words.TRIP_EXTRAS,
        "arrivals": words.ARRIVALS,
        "seats": words.SEATS,
        "most_bags": MOST_BAGS,
        "bag_cents": BAG_CENTS,
        "payments": payments(world),
    }


def _form(visit: Visit, step: str, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world: World = visit.world
    state: State = visit.state
    draft = state.draft
    if draft is None:
        return Page("book_none.html", "No booking under way")
    steps = _steps(visit) or ("all",)
    context = {
        **extras_context(world, draft.what),
        "draft": draft,
        "summary": summary(world, draft),
        "values": dict(form) if form else form_values(draft),
        "names": len(draft.details.names),
        "errors": errors,
        "step": step,
        "steps": [(name, STEP_TITLES[name], f"/book/{name}") for name in steps],
        "index": steps.index(step),
        "last": step == steps[-1],
        "action": visit.path,
    }
    return Page("book.html", STEP_TITLES[step], context)

"""Changing, cancelling and restoring bookings that are there from the start."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.departures import departure
from webgym_hermetic.families.travel.describing import written
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.goals.booking import other_value, same_text
from webgym_hermetic.families.travel.goals.phrases import ARRIVAL_PHRASES, EXTRA_PHRASES, SEAT_PHRASES, and_join
from webgym_hermetic.families.travel.goals.searching import stay_dates
from webgym_hermetic.families.travel.state import Booking, State, Stay, fits, start
from webgym_hermetic.families.travel.world import World, ahead
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


def named(world: World, ref: str) -> tuple[str, ...]:
    """Ways to name a booking that is there from the start."""
    what = start(world).booking(ref).what
    if isinstance(what, Stay):
        hotel = world.hotel[what.hotel]
        place = f"{hotel.name} in {world.city[hotel.city].name}"
        return (f"booking {ref}", f"my stay at {place} (booking {ref})", f"the booking with the reference {ref}")
    out = departure(world, what.out)
    trip = f"{world.mode.one} from {world.city[out.origin].name} to {world.city[out.to].name}"
    return (
        f"booking {ref}",
        f"my {trip} on {written(out.day)} (booking {ref})",
        f"the booking with the reference {ref}",
    )


class EndBooking(Goal, frozen=True):
    """Cancel a booking, or take up a cancelled one again."""

    ref: str
    cancel: bool = True

    def facts(self, world: World) -> tuple[Fact, ...]:
        """That it is cancelled, or not any more."""
        del world
        return (Fact("ended", f"Booking {self.ref} is {'cancelled' if self.cancel else 'not cancelled any more'}."),)

    def holds(self, fact: str, end: End) -> bool:
        """As the booking stands now."""
        del fact
        return end.state.booking(self.ref).cancelled == self.cancel

    def next(self, view: View) -> Intent | None:
        """Open the booking, press the button, confirm."""
        state: State = view.state
        if state.booking(self.ref).cancelled == self.cancel:
            return None
        return (
            ways.to_booking(view, self.ref) or view.tap("do:cancel" if self.cancel else "do:restore") or ways.home(view)
        )

    def spoil(self, fact: str, world: World) -> EndBooking:
        """Another booking is cancelled instead; a restored one is left as it is."""
        del fact
        if not self.cancel:
            return replace(self, cancel=True)
        others = [one.ref for one in start(world).bookings if one.ref != self.ref and not one.cancelled]
        return replace(self, ref=others[0])

    def clauses(self, world: World) -> tuple[str, ...]:
        """The booking by its reference."""
        plain, described, by_reference = named(world, self.ref)
        if self.cancel:
            return (
                f"cancel {plain}",
                f"cancel {described}",
                f"call off {by_reference}",
                f"make sure that {described} is cancelled",
            )
        return (
            f"restore the cancelled {plain}",
            f"take {described} up again: it was cancelled, restore it",
            f"undo the cancellation of {by_reference}",
            f"bring back {plain}, which was cancelled",
        )


class AmendBooking(Goal, frozen=True):
    """Change contact, extras and wishes of a booking. Fields that are empty were not asked for."""

    ref: str
    email: str = ""
    phone: str = ""
    extras: tuple[str, ...] = ()
    arrival: str = ""
    seat: str = ""
    request: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One for each change."""
        del world
        facts = [Fact(f"extra-{key}", f"Booking {self.ref} includes {EXTRA_PHRASES[key]}.") for key in self.extras]
        optional = (
            ("email", self.email, f"The e-mail of booking {self.ref} is {self.email}."),
            ("phone", self.phone, f"The phone of booking {self.ref} is {self.phone}."),
            ("arrival", self.arrival, f"Arrival of booking {self.ref} is {ARRIVAL_PHRASES.get(self.arrival, '')}."),
            ("seat", self.seat, f"The seat wish of booking {self.ref} is {SEAT_PHRASES.get(self.seat, '')}."),
            ("request", self.request, f"The special request of booking {self.ref} says: {self.request}."),
        )
        return (*(Fact(name, text) for name, value, text in optional if value), *facts)

    def holds(self, fact: str, end: End) -> bool:
        """As the booking stands now."""
        return self._holds(fact, end.state.booking(self.ref))

    def _holds(self, fact: str, booking: Booking) -> bool:
        if fact.startswith("extra-"):
            return fact.removeprefix("extra-") in booking.details.extras
        return same_text(getattr(booking.details, fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        """Open the booking, fill in the form that is wrong, save it."""
        booking = view.state.booking(self.ref)
        wrong = [fact.name for fact in self.facts(view.world) if not self._holds(fact.name, booking)]
        if not wrong:
            return None
        if step := ways.to_booking(view, self.ref):
            return step
        if wrong[0] in ("email", "phone"):
            details = booking.details
            return (
                controls.write(view, "email", self.email or details.email)
                or controls.write(view, "phone", self.phone or details.phone)
                or view.tap("submit:contact")
            )
        steps = (
            *(controls.switch(view, f"extra-{key}", on=True) for key in self.extras),
            controls.choose(view, "arrival", self.arrival) if self.arrival else None,
            controls.choose(view, "seat", self.seat) if self.seat else None,
            controls.write(view, "request", self.request) if self.request else None,
            view.tap("submit:extras"),
        )
        return next((step for step in steps if step), None)

    def spoil(self, fact: str, world: World) -> AmendBooking:
        """Everything but one change."""
        del world
        if fact.startswith("extra-"):
            return replace(self, extras=tuple(key for key in self.extras if f"extra-{key}" != fact))
        return replace(self, **{fact: other_value(fact, getattr(self, fact))})

    def clauses(self, world: World) -> tuple[str, ...]:
        """The booking and each change."""
        plain, described, by_reference = named(world, self.ref)
        changes = self._changes()
        return (
            f"change {plain}: {and_join(changes)}",
            f"open {described} and {and_join(changes)}",
            f"update {by_reference}: {and_join(changes)}",
            f"in {described}, {and_join(changes)}",
        )

    def _changes(self) -> list[str]:
        parts: list[str] = []
        if self.email:
            parts.append(f"set the contact e-mail to {self.email}")
        if self.phone:
            parts.append(f"set the phone number to {self.phone}")
        parts += [f"add {EXTRA_PHRASES[key]}" for key in self.extras]
        if self.arrival:
            parts.append(f"set the arrival time to {ARRIVAL_PHRASES[self.arrival]}")
        if self.seat:
            parts.append(f"ask for {SEAT_PHRASES[self.seat]}")
        if self.request:
            parts.append(f"enter \u201c{self.request}\u201d as the special request")
        return parts


class MoveStay(Goal, frozen=True):
    """Move a stay to other dates."""

    ref: str
    checkin: str
    checkout: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Both dates."""
        del world
        return (
            Fact("checkin", f"Check-in of booking {self.ref} is on {written(self.checkin)}."),
            Fact("checkout", f"Check-out of booking {self.ref} is on {written(self.checkout)}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        """As the booking stands now."""
        return getattr(end.state.booking(self.ref).what, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        """Open the booking, set both dates, save them."""
        state: State = view.state
        what = state.booking(self.ref).what
        if isinstance(what, Stay) and (what.checkin, what.checkout) == (self.checkin, self.checkout):
            return None
        return (
            ways.to_booking(view, self.ref)
            or stay_dates(view, self.checkin, self.checkout)
            or view.tap("submit:dates")
            or ways.home(view)
        )

    def spoil(self, fact: str, world: World) -> MoveStay:
        """One date a day off."""
        del world
        field: Literal["checkin", "checkout"] = "checkin" if fact == "checkin" else "checkout"
        return replace(self, **{field: ahead(getattr(self, field), -1 if field == "checkin" else 1)})

    def clauses(self, world: World) -> tuple[str, ...]:
        """The booking and its new dates."""
        plain, described, by_reference = named(world, self.ref)
        first, last = written(self.checkin), written(self.checkout)
        return (
            f"move {plain} to {first} until {last}",
            f"change the dates of {described} so that I check in on {first} and check out on {last}",
            f"reschedule {by_reference}: check-in {first}, check-out {last}",
            f"shift {described} to new dates, from {first} to {last}",
        )


def can_move(world: World, ref: str, checkin: str, checkout: str) -> bool:
    """Whether a stay can take place on these days, and a day longer on both sides."""
    what = start(world).booking(ref).what
    if not isinstance(what, Stay):
        return False
    wide = replace(what, checkin=ahead(checkin, -1), checkout=ahead(checkout, 1))
    return (
        not fits(world, wide)
        and what.checkin not in (checkin, ahead(checkin, -1))
        and what.checkout
        not in (
            checkout,
            ahead(checkout, 1),
        )
    )


def extras_of(what: object) -> tuple[str, ...]:
    """Extras one can add to a booking."""
    return tuple(key for key, _, _ in (words.STAY_EXTRAS if isinstance(what, Stay) else words.TRIP_EXTRAS))

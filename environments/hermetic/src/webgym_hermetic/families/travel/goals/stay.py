"""Booking a room."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.describing import counted, payments, written
from webgym_hermetic.families.travel.finding import read_stay
from webgym_hermetic.families.travel.goals import booking, ways
from webgym_hermetic.families.travel.goals.phrases import ARRIVAL_PHRASES, EXTRA_PHRASES, RATE_PHRASES, and_join
from webgym_hermetic.families.travel.goals.searching import StayWish, find_hotel, search_stays, stay_dates
from webgym_hermetic.families.travel.state import Details, State, Stay
from webgym_hermetic.families.travel.world import World, ahead, nights_between
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class BookStay(Goal, frozen=True):
    """Book a room in a hotel. Fields that are empty were not asked for."""

    hotel: str
    room: str
    rate: str
    checkin: str
    checkout: str
    guests: int
    rooms: int
    name: str
    email: str = ""
    phone: str = ""
    extras: tuple[str, ...] = ()
    arrival: str = ""
    request: str = ""
    payment: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Hotel, room, board, dates, party, guest, and what else was asked for."""
        hotel = world.hotel[self.hotel]
        nights = f"from {written(self.checkin)} to {written(self.checkout)}"
        party = f"{counted(self.guests, 'guest')} in {counted(self.rooms, 'room')}"
        facts = [
            Fact("hotel", f"A stay at {hotel.name} in {world.city[hotel.city].name} is booked."),
            Fact("room", f"The booked room is a {words.ROOM_NAMES[self.room]}."),
            Fact("rate", f"The stay is booked {RATE_PHRASES[self.rate]}."),
            Fact("dates", f"The stay is booked {nights}."),
            Fact("party", f"The stay is booked for {party}."),
            Fact("name", f"The lead guest is {self.name}."),
        ]
        names = {key: name for key, name, _ in words.STAY_EXTRAS}
        facts += [Fact(f"extra-{key}", f"The booking includes {names[key].lower()}.") for key in self.extras]
        optional = (
            ("email", self.email, f"The contact e-mail of the booking is {self.email}."),
            ("phone", self.phone, f"The contact phone of the booking is {self.phone}."),
            ("arrival", self.arrival, f"The arrival time is given as {ARRIVAL_PHRASES.get(self.arrival, '')}."),
            ("request", self.request, f"The special request says: {self.request}."),
            ("payment", self.payment, f"The booking is paid by {dict(payments(world)).get(self.payment, '')}."),
        )
        return (*facts, *(Fact(name, text) for name, value, text in optional if value))

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the newest stay booked."""
        return self._holds(fact, end.state)

    def _holds(self, fact: str, state: State) -> bool:
        made = booking.latest(state, Stay)
        if made is None or not isinstance(made.what, Stay):
            return False
        what, details = made.what, made.details
        match fact:
            case "hotel" | "room" | "rate":
                return getattr(what, fact) == getattr(self, fact)
            case "dates":
                return (what.checkin, what.checkout) == (self.checkin, self.checkout)
            case "party":
                return (what.guests, what.rooms) == (self.guests, self.rooms)
            case "name":
                return booking.same_text(details.names[0], self.name)
            case "email" | "phone" | "request":
                return booking.same_text(getattr(details, fact), getattr(self, fact))
            case "arrival" | "payment":
                return getattr(details, fact) == getattr(self, fact)
            case _:
                return fact.removeprefix("extra-") in details.extras

    def next(self, view: View) -> Intent | None:
        """Search, open the hotel, choose the room, fill in the form."""
        world: World = view.world
        state: State = view.state
        if all(self._holds(fact.name, state) for fact in self.facts(world)):
            return None
        what = Stay(self.hotel, self.room, self.rate, self.checkin, self.checkout, self.guests, self.rooms)
        if state.draft and state.draft.what == what and booking.is_form(view):
            return booking.fill(view, self._details(world), stay=True)
        reserve = view.tap(f"do:reserve:{self.hotel}:{self.room}:{self.rate}")
        if view.path == f"/hotel/{self.hotel}":
            return self._at_hotel(view, reserve)
        wish = StayWish(world.hotel[self.hotel].city, self.checkin, self.checkout, self.guests, self.rooms)
        return search_stays(view, wish) or reserve or find_hotel(view, self.hotel)

    def _at_hotel(self, view: View, reserve: Intent | None) -> Intent:
        world: World = view.world
        query, errors = read_stay(world, {**view.query, "dest": world.hotel[self.hotel].city})
        shown = (query.checkin, query.checkout, query.guests, query.rooms)
        if not errors and shown == (self.checkin, self.checkout, self.guests, self.rooms) and reserve:
            return reserve
        return (
            stay_dates(view, self.checkin, self.checkout)
            or controls.count(view, "guests", self.guests)
            or controls.count(view, "rooms", self.rooms)
            or view.tap("submit:dates")
            or ways.home(view)
        )

    def _details(self, world: World) -> Details:
        return Details(
            names=(self.name,),
            email=self.email or world.account.email,
            phone=self.phone or world.account.phone,
            extras=self.extras,
            arrival=self.arrival,
            request=self.request,
            payment=self.payment or "card",
        )

    def spoil(self, fact: str, world: World) -> BookStay:
        """The same booking with one thing else."""
        match fact:
            case "hotel":
                return replace(self, hotel=self.other_hotel(world))
            case "room" | "rate":
                return replace(self, **self.other_offer(fact, world))
            case "dates" if nights_between(self.checkin, self.checkout) > 1:
                return replace(self, checkin=ahead(self.checkin, 1))
            case "dates":
                return replace(self, checkout=ahead(self.checkout, 1))
            case "party":
                return replace(self, guests=self.guests - 1 if self.guests > 1 else 2)
            case _ if fact.startswith("extra-"):
                return replace(self, extras=tuple(key for key in self.extras if f"extra-{key}" != fact))
            case _:
                return replace(self, **{fact: booking.other_value(fact, getattr(self, fact))})

    def other_hotel(self, world: World) -> str:
        """Another hotel of the city in which the same can be booked; empty if there is none."""
        for hotel in world.hotels_in[world.hotel[self.hotel].city]:
            if hotel.id != self.hotel and can_book(world, replace(self, hotel=hotel.id)):
                return hotel.id
        return ""

    def other_offer(self, fact: str, world: World) -> dict[str, str]:
        """Another room with the same board, or another board for the same room; empty if there is none."""
        hotel = world.hotel[self.hotel]
        others = [room.kind for room in hotel.rooms] if fact == "room" else [rate[0] for rate in words.RATES]
        for value in others:
            if value != getattr(self, fact) and can_book(world, replace(self, **{fact: value})):
                return {fact: value}
        return {}

    def clauses(self, world: World) -> tuple[str, ...]:
        """All that is wanted, in several orders."""
        hotel = world.hotel[self.hotel]
        where = f"{hotel.name} in {world.city[hotel.city].name}"
        room, rate = words.ROOM_NAMES[self.room], RATE_PHRASES[self.rate]
        when = f"from {written(self.checkin)} to {written(self.checkout)}"
        party = f"{counted(self.guests, 'guest')} in {counted(self.rooms, 'room')}"
        rest = self._wishes(world)
        nights = counted(nights_between(self.checkin, self.checkout), "night")
        return (
            f"book a {room} ({rate}) at {where} {when} for {party} in the name of {self.name}{rest}",
            f"reserve {where} {when}: a {room}, {rate}, for {party}, lead guest {self.name}{rest}",
            (
                f"make a booking at {where} for {nights}, checking in on {written(self.checkin)}, for {party}; "
                f"the lead guest is {self.name}, the room a {room}, {rate}{rest}"
            ),
            (
                f"get {self.name} a {room} at {where}, {rate}, arriving on {written(self.checkin)} "
                f"and leaving on {written(self.checkout)}, for {party}{rest}"
            ),
        )

    def _wishes(self, world: World) -> str:
        parts: list[str] = []
        if self.extras:
            parts.append(f"add {and_join([EXTRA_PHRASES[key] for key in self.extras])}")
        if self.arrival:
            parts.append(f"give the arrival time as {ARRIVAL_PHRASES[self.arrival]}")
        if self.email:
            parts.append(f"use {self.email} as the contact e-mail")
        if self.phone:
            parts.append(f"give {self.phone} as the phone number")
        if self.request:
            parts.append(f"write \u201c{self.request}\u201d as a special request")
        if self.payment:
            parts.append(f"pay with {dict(payments(world))[self.payment]}")
        return "".join(f"; {part}" for part in parts)


def can_book(world: World, stay: BookStay) -> bool:
    """Whether there is such a room, free on these days and a night longer, large enough, at such a rate."""
    hotel = world.hotel.get(stay.hotel)
    room = next((room for room in hotel.rooms if room.kind == stay.room), None) if hotel else None
    if room is None or stay.rate not in {rate.id for rate in room.rates}:
        return False
    free = not room.full_from or ahead(stay.checkout, 1) <= room.full_from or stay.checkin >= room.full_to
    return free and words.ROOM_SLEEPS[stay.room] * stay.rooms >= max(2, stay.guests)

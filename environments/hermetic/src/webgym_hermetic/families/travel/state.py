"""What a session can change on a travel site: bookings, a booking under way, saved places, settings, messages."""

from __future__ import annotations

from webgym.records.base import Record, Variant
from webgym.rng import Rng
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.departures import Departure, departure, departures
from webgym_hermetic.families.travel.words import travel_words
from webgym_hermetic.families.travel.world import Hotel, World, ahead, is_free, nights_between

MOST_ROOMS = 4
MOST_TRAVELLERS = 6
MOST_BAGS = 4
BAG_CENTS = 2800


class Stay(Variant, frozen=True):
    """Nights in a hotel."""

    hotel: str
    room: str
    rate: str
    checkin: str
    checkout: str
    guests: int
    rooms: int


class Trip(Variant, frozen=True):
    """A journey, there or there and back."""

    out: str
    back: str
    """Empty: one way."""
    fare: str
    travellers: int


class Details(Record, frozen=True):
    """What a booking form asks for."""

    names: tuple[str, ...]
    email: str
    phone: str
    extras: tuple[str, ...] = ()
    arrival: str = ""
    seat: str = ""
    bags: int = 0
    request: str = ""
    payment: str = "card"


class Draft(Record, frozen=True):
    """A booking under way."""

    what: Stay | Trip
    details: Details


class Booking(Record, frozen=True):
    """Booked, and perhaps cancelled again."""

    ref: str
    what: Stay | Trip
    details: Details
    cancelled: bool = False
    new: bool = True
    """Made in this session."""


class Alert(Record, frozen=True):
    """A wish to hear of low prices."""

    id: int
    city: str
    dollars: int
    channel: str


class Message(Record, frozen=True):
    """Sent through the contact form."""

    topic: str
    ref: str
    text: str


class Review(Record, frozen=True):
    """Written by the customer."""

    hotel: str
    score: int
    title: str
    text: str


class Settings(Record, frozen=True):
    """Of the account."""

    name: str
    phone: str
    language: str
    currency: str
    home: str
    newsletter: str
    price_drops: bool
    reminders: bool
    loyalty: str
    meal: str


class State(Record, frozen=True):
    """All of it."""

    bookings: tuple[Booking, ...]
    saved: tuple[str, ...]
    """`hotel:ID` or `city:ID`."""
    settings: Settings
    alerts: tuple[Alert, ...]
    messages: tuple[Message, ...] = ()
    reviews: tuple[Review, ...] = ()
    draft: Draft | None = None
    """The booking under way."""

    def booking(self, ref: str) -> Booking:
        """Raises KeyError if there is none."""
        for booking in self.bookings:
            if booking.ref == ref:
                return booking
        raise KeyError(ref)


def start(world: World) -> State:
    """Four bookings, three saved places and one alert, made before."""
    if "start" not in world.kept:
        world.kept["start"] = _start(world)
    return world.kept["start"]


def _start(world: World) -> State:
    rng = Rng("start", world.seed)
    account = world.account
    return State(
        bookings=_bookings(world, rng.fork("bookings")),
        saved=_saved(world, rng.fork("saved")),
        settings=Settings(
            name=account.name,
            phone=account.phone,
            language="en",
            currency="usd",
            home=rng.fork("home").pick(world.cities).id,
            newsletter=rng.fork("newsletter").pick(("never", "weekly")),
            price_drops=rng.fork("drops").chance(0.5),
            reminders=rng.fork("reminders").chance(0.5),
            loyalty="",
            meal="",
        ),
        alerts=(
            Alert(
                id=1, city=rng.fork("alert").pick(_alert_cities(world)), dollars=rng.between(40, 90), channel="email"
            ),
        ),
    )


def _alert_cities(world: World) -> tuple[str, ...]:
    return tuple(city.id for city in (world.stay_cities or world.cities))


def _saved(world: World, rng: Rng) -> tuple[str, ...]:
    cities = [f"city:{city.id}" for city in rng.sample(world.cities, 2)]
    hotels = [f"hotel:{hotel.id}" for hotel in rng.sample(world.hotels, 2)]
    return tuple((hotels + cities)[:3])


def _bookings(world: World, rng: Rng) -> tuple[Booking, ...]:
    kinds = {"stays": ("stay", "stay", "stay", "stay"), "trips": ("trip", "trip", "trip", "trip")}.get(
        world.focus, ("stay", "trip", "stay", "trip")
    )
    bookings: list[Booking] = []
    for number, kind in enumerate(kinds):
        own = rng.fork(number)
        what = _some_stay(world, own) if kind == "stay" else _some_trip(world, own)
        count = what.travellers if isinstance(what, Trip) else 1
        others = (
            f"{own.pick(travel_words().first_names)} {own.pick(travel_words().last_names)}" for _ in range(count - 1)
        )
        details = Details(
            names=(world.account.name, *others),
            email=world.account.email,
            phone=world.account.phone,
            payment=own.pick(("card", "debit")),
        )
        bookings.append(
            Booking(ref=reference(world, number), what=what, details=details, cancelled=number == 3, new=False)
        )
    return tuple(bookings)


def _some_stay(world: World, rng: Rng) -> Stay:
    while True:
        hotel = rng.pick(world.hotels)
        room = rng.pick(hotel.rooms)
        checkin = ahead(world.today, rng.between(9, 80))
        checkout = ahead(checkin, rng.between(2, 6))
        if is_free(room, checkin, checkout):
            guests = rng.between(1, words.ROOM_SLEEPS[room.kind])
            return Stay(
                hotel=hotel.id,
                room=room.kind,
                rate=rng.pick(room.rates).id,
                checkin=checkin,
                checkout=checkout,
                guests=guests,
                rooms=1,
            )


def _some_trip(world: World, rng: Rng) -> Trip:
    while True:
        origin, to = rng.sample(world.cities, 2)
        day = ahead(world.today, rng.between(9, 80))
        out = rng.pick(departures(world, origin.id, to.id, day))
        back = rng.pick(departures(world, to.id, origin.id, ahead(day, rng.between(2, 9))))
        if out.left and back.left:
            return Trip(
                out=out.id,
                back=back.id if rng.chance(0.4) else "",
                fare=rng.pick(world.fares).id,
                travellers=rng.between(1, 3),
            )


def reference(world: World, number: int) -> str:
    """Of the so-manieth booking on a site."""
    rng = Rng("reference", world.seed, number)
    return "".join(rng.pick("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(6))


def hotel_of(world: World, stay: Stay) -> Hotel:
    return world.hotel[stay.hotel]


def outbound(world: World, trip: Trip) -> Departure:
    return departure(world, trip.out)


def fits(world: World, what: Stay | Trip) -> str:
    """Why this cannot be booked; empty if it can."""
    if isinstance(what, Trip):
        legs = [departure(world, key) for key in (what.out, what.back) if key]
        if any(not leg.left for leg in legs):
            return "This departure is sold out."
        if len(legs) == 2 and (legs[1].origin, legs[1].to) != (legs[0].to, legs[0].origin):
            return "The return does not match the way out."
        if len(legs) == 2 and legs[1].day < legs[0].day:
            return "The return is before the way out."
        return "" if 1 <= what.travellers <= MOST_TRAVELLERS and what.fare in world.fare else "Too many travellers."
    room = world.hotel[what.hotel].room(what.room)
    if what.rate not in {rate.id for rate in room.rates}:
        raise KeyError(what.rate)
    if not world.first_day <= what.checkin < what.checkout <= world.last_day:
        return "Choose your dates first."
    if not is_free(room, what.checkin, what.checkout):
        return "This room is sold out on your dates."
    sleeps = words.ROOM_SLEEPS[room.kind]
    if not (1 <= what.rooms <= MOST_ROOMS and 1 <= what.guests <= sleeps * what.rooms):
        return f"This room sleeps {sleeps}. Choose more rooms, fewer guests or a larger room."
    return ""


def total(world: World, what: Stay | Trip, details: Details) -> int:
    """Price of a booking, in cents."""
    if isinstance(what, Stay):
        rates = {rate.id: rate.cents for rate in world.hotel[what.hotel].room(what.room).rates}
        price = rates[what.rate] * nights_between(what.checkin, what.checkout) * what.rooms
        prices = {key: cents for key, _, cents in words.STAY_EXTRAS}
    else:
        fare = world.fare[what.fare]
        price = sum(departure(world, leg).price(fare) for leg in (what.out, what.back) if leg) * what.travellers
        prices = {key: cents for key, _, cents in words.TRIP_EXTRAS}
    return price + sum(prices[extra] for extra in details.extras) + BAG_CENTS * details.bags

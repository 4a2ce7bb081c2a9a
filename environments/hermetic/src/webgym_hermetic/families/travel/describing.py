"""How bookings, dates and places read on the page and in a request."""

from __future__ import annotations

from datetime import date

from webgym.records.base import Record
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.departures import Departure, departure
from webgym_hermetic.families.travel.state import BAG_CENTS, Details, Draft, Stay, Trip, total
from webgym_hermetic.families.travel.world import World, nights_between


class Summary(Record, frozen=True):
    """A booking, as people read it."""

    kind: str
    title: str
    place: str
    when: str
    rows: tuple[tuple[str, str], ...]
    picture: str
    seed: str
    href: str
    cents: int


def written(iso: str) -> str:
    """A date as the site writes it: Mar 14, 2026."""
    day = date.fromisoformat(iso)
    return f"{day:%b} {day.day}, {day.year}"


def dollars(cents: int) -> str:
    return f"${cents // 100:,}" if cents % 100 == 0 else f"${cents / 100:,.2f}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 night`, `2 nights`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def summary(world: World, draft: Draft) -> Summary:
    """A booking or a booking under way, for people."""
    what, details = draft.what, draft.details
    cents = total(world, what, details)
    return _stay(world, what, details, cents) if isinstance(what, Stay) else _trip(world, what, details, cents)


def _stay(world: World, stay: Stay, details: Details, cents: int) -> Summary:
    hotel = world.hotel[stay.hotel]
    nights = nights_between(stay.checkin, stay.checkout)
    extras = [name for key, name, _ in words.STAY_EXTRAS if key in details.extras]
    arrival = dict(words.ARRIVALS)[details.arrival]
    rows = (
        ("Check-in", f"{written(stay.checkin)}, from {hotel.checkin}"),
        ("Check-out", f"{written(stay.checkout)}, until {hotel.checkout}"),
        ("Room", words.ROOM_NAMES[stay.room]),
        ("Board", words.RATE_BOARDS[stay.rate]),
        ("Cancellation", words.RATE_POLICIES[stay.rate]),
        ("Guests", f"{counted(stay.guests, 'guest')}, {counted(stay.rooms, 'room')}"),
        *((("Extras", ", ".join(extras)),) if extras else ()),
        *((("Arrival", arrival),) if details.arrival else ()),
    )
    return Summary(
        kind="stay",
        title=hotel.name,
        place=world.city[hotel.city].name,
        when=f"{written(stay.checkin)} \u2013 {written(stay.checkout)} \u00b7 {counted(nights, 'night')}",
        rows=rows,
        picture="room:bedroom",
        seed=hotel.id,
        href=f"/hotel/{hotel.id}",
        cents=cents,
    )


def _trip(world: World, trip: Trip, details: Details, cents: int) -> Summary:
    out = departure(world, trip.out)
    legs = [("Way out", out), *((("Return", departure(world, trip.back)),) if trip.back else ())]
    extras = [name for key, name, _ in words.TRIP_EXTRAS if key in details.extras]
    rows = (
        *((name, f"{written(leg.day)}, {leg_text(world, leg)}") for name, leg in legs),
        ("Fare", world.fare[trip.fare].name),
        ("Travellers", counted(trip.travellers, "traveller")),
        *((("Seat", dict(words.SEATS)[details.seat]),) if details.seat else ()),
        *(
            (("Luggage", counted(details.bags, "extra bag") + f" ({dollars(BAG_CENTS * details.bags)})"),)
            if details.bags
            else ()
        ),
        *((("Extras", ", ".join(extras)),) if extras else ()),
    )
    origin, to = world.city[out.origin].name, world.city[out.to].name
    return Summary(
        kind="trip",
        title=f"{origin} to {to}",
        place=to,
        when=written(out.day) + (f" \u2013 {written(legs[1][1].day)}" if trip.back else ""),
        rows=rows,
        picture="scene:airport"
        if world.mode_id == "flights"
        else "scene:harbour"
        if world.mode_id == "ferries"
        else "scene:countryside",
        seed=out.id,
        href=f"/trip/{out.id}",
        cents=cents,
    )


def leg_text(world: World, leg: Departure) -> str:
    """`09:40 Altenfeld to 11:20 Skaros, AV 412`."""
    return f"{leg.leaves} {world.city[leg.origin].name} to {leg.arrives} {world.city[leg.to].name}, {leg.number}"


def payments(world: World) -> tuple[tuple[str, str], ...]:
    """Ways to pay, as this site names them."""
    return tuple((key, name.format(card=world.card, debit=world.debit)) for key, name in words.PAYMENTS)

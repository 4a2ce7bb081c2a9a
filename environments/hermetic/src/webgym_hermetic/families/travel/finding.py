"""Searches: what a query string asks for, what is wrong with it and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TypeVar
from urllib.parse import urlencode

from webgym.records.base import Record
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.departures import Departure, departure, departures
from webgym_hermetic.families.travel.state import MOST_ROOMS, MOST_TRAVELLERS
from webgym_hermetic.families.travel.world import City, Hotel, World, ahead, is_free

T = TypeVar("T")
MOST_GUESTS = 8
LONGEST_STAY = 21
STAY_SORTS = (
    ("", "Recommended"),
    ("price", "Price, low to high"),
    ("rating", "Guest rating"),
    ("distance", "Distance to centre"),
    ("stars", "Stars, high to low"),
)
STARS = (("", "Any stars"), ("3", "3 stars or more"), ("4", "4 stars or more"), ("5", "5 stars"))
PRICES = (("", "Any price"), ("100", "Up to $100"), ("150", "Up to $150"), ("200", "Up to $200"), ("300", "Up to $300"))
FILTERED = ("pool", "parking", "spa", "gym", "pets", "air")
"""Amenities one can filter by."""
WAYS = (("one", "One way"), ("return", "Return"))
TRIP_SORTS = (
    ("", "Departure time"),
    ("price", "Lowest price"),
    ("duration", "Shortest journey"),
    ("arrival", "Earliest arrival"),
)
STOPS = (("", "Any number of stops"), ("0", "Direct only"), ("1", "One stop at most"))
TIMES = (
    ("", "Any time"),
    ("morning", "Morning (before 12:00)"),
    ("afternoon", "Afternoon (12:00 to 18:00)"),
    ("evening", "Evening (after 18:00)"),
)

Params = dict[str, str]


class StayQuery(Record, frozen=True):
    """Where to stay, when, with how many, and what it must have."""

    dest: str = ""
    checkin: str = ""
    checkout: str = ""
    guests: int = 2
    rooms: int = 1
    stars: str = ""
    price: str = ""
    has: tuple[str, ...] = ()
    sort: str = ""
    page: int = 1

    def params(self) -> Params:
        """As it stands in an address, without the page."""
        values = {
            "dest": self.dest,
            "checkin": self.checkin,
            "checkout": self.checkout,
            "guests": str(self.guests),
            "rooms": str(self.rooms),
            "stars": self.stars,
            "price": self.price,
            **{f"has-{key}": "on" for key in self.has},
            "sort": self.sort,
        }
        return {name: value for name, value in values.items() if value}

    def when(self) -> Params:
        """Only what a hotel's page needs."""
        return {
            name: self.params()[name] for name in ("checkin", "checkout", "guests", "rooms") if name in self.params()
        }


class TripQuery(Record, frozen=True):
    """From where to where, when, with how many, and how."""

    origin: str = ""
    to: str = ""
    depart: str = ""
    back: str = ""
    travellers: int = 1
    fare: str = ""
    out: str = ""
    """The departure chosen for the way out, while choosing the return."""
    stops: str = ""
    operator: str = ""
    time: str = ""
    sort: str = ""
    page: int = 1

    def params(self) -> Params:
        """As it stands in an address, without the page."""
        names = ("origin", "to", "depart", "back", "fare", "out", "stops", "operator", "time", "sort")
        values = {name: str(getattr(self, name)) for name in names}
        values["travellers"] = str(self.travellers)
        values["way"] = "return" if self.back else ""
        return {name: value for name, value in values.items() if value}

    def who(self) -> Params:
        """Only what a departure's page needs."""
        params = self.params()
        return {name: params[name] for name in ("way", "back", "travellers", "fare", "out") if name in params}


class Offer(Record, frozen=True):
    """A hotel, as a search finds it."""

    hotel: Hotel
    cents: int
    """Cheapest night; 0 if nothing is free."""


def address(path: str, params: Mapping[str, str], **more: str) -> str:
    """A path with what is not empty behind it."""
    kept = {name: value for name, value in {**params, **more}.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path


def cities_like(world: World, text: str, *, stays: bool = False) -> tuple[City, ...]:
    """Cities that a text could mean: exactly one if it names one, else all that it begins or contains."""
    cities = world.stay_cities if stays else world.cities
    wanted = text.strip().lower().partition(",")[0]
    if not wanted:
        return ()
    exact = tuple(city for city in cities if wanted in (city.id, city.name.lower(), city.code.lower()))
    return exact or tuple(city for city in cities if wanted in city.name.lower() or wanted == city.country.lower())


def read_stay(world: World, raw: Mapping[str, str]) -> tuple[StayQuery, dict[str, str]]:
    """A search for stays and, by the field's name, what is wrong with it."""
    errors: dict[str, str] = {}
    checkin, checkout = _day(raw, "checkin", errors), _day(raw, "checkout", errors)
    query = StayQuery(
        dest=_city(world, raw, "dest", errors, stays=True),
        checkin=checkin,
        checkout=checkout,
        guests=_number(raw, "guests", 2, MOST_GUESTS, errors),
        rooms=_number(raw, "rooms", 1, MOST_ROOMS, errors),
        stars=_one_of(raw, "stars", STARS),
        price=_one_of(raw, "price", PRICES),
        has=tuple(key for key in FILTERED if raw.get(f"has-{key}") == "on"),
        sort=_one_of(raw, "sort", STAY_SORTS),
        page=_page(raw),
    )
    return query, {**errors, **_stay_dates(world, query, errors)}


def _stay_dates(world: World, query: StayQuery, errors: Mapping[str, str]) -> dict[str, str]:
    if "checkin" in errors or "checkout" in errors or not (query.checkin or query.checkout):
        return {}
    if not query.checkin:
        return {"checkin": "Choose a check-in date."}
    if not query.checkout:
        return {"checkout": "Choose a check-out date."}
    if query.checkin < world.first_day:
        return {"checkin": "Check-in is tomorrow at the earliest."}
    if query.checkout <= query.checkin:
        return {"checkout": "Check-out must be after check-in."}
    if query.checkout > world.last_day:
        return {"checkout": "We cannot book that far ahead."}
    if query.checkout > ahead(query.checkin, LONGEST_STAY):
        return {"checkout": f"A stay can be at most {LONGEST_STAY} nights."}
    return {}


def read_trip(world: World, raw: Mapping[str, str]) -> tuple[TripQuery, dict[str, str]]:
    """A search for departures and, by the field's name, what is wrong with it."""
    errors: dict[str, str] = {}
    query = TripQuery(
        origin=_city(world, raw, "origin", errors),
        to=_city(world, raw, "to", errors),
        depart=_day(raw, "depart", errors),
        back=_day(raw, "back", errors) if raw.get("way") == "return" else "",
        travellers=_number(raw, "travellers", 1, MOST_TRAVELLERS, errors),
        fare=raw.get("fare", "") if raw.get("fare") in world.fare else "",
        out=raw.get("out", ""),
        stops=_one_of(raw, "stops", STOPS),
        operator=raw.get("operator", "") if raw.get("operator") in world.operators else "",
        time=_one_of(raw, "time", TIMES),
        sort=_one_of(raw, "sort", TRIP_SORTS),
        page=_page(raw),
    )
    if raw.get("way") == "return" and not query.back:
        errors.setdefault("back", "Choose a day of return.")
    return query, {**_trip_dates(world, query), **errors}


def _trip_dates(world: World, query: TripQuery) -> dict[str, str]:
    errors: dict[str, str] = {}
    if query.origin and query.origin == query.to:
        errors["to"] = "Choose a destination other than where you start."
    if not query.depart:
        errors["depart"] = "Choose a day of departure."
    elif not world.first_day <= query.depart <= world.last_day:
        errors["depart"] = "This day is not on sale."
    elif query.back and query.back < query.depart:
        errors["back"] = "The return cannot be before the departure."
    elif query.back > world.last_day:
        errors["back"] = "This day is not on sale."
    return errors


def find_stays(world: World, query: StayQuery) -> tuple[Offer, ...]:
    """The hotels that a search finds, in its order."""
    offers = [Offer(hotel=hotel, cents=cheapest(hotel, query)) for hotel in world.hotels_in.get(query.dest, ())]
    kept = [offer for offer in offers if _wanted(offer, query)]
    match query.sort:
        case "price":
            kept.sort(key=lambda offer: offer.cents or 10**9)
        case "rating":
            kept.sort(key=lambda offer: -offer.hotel.score)
        case "distance":
            kept.sort(key=lambda offer: offer.hotel.metres)
        case "stars":
            kept.sort(key=lambda offer: -offer.hotel.stars)
        case _:
            pass
    return tuple(kept)


def cheapest(hotel: Hotel, query: StayQuery) -> int:
    """The lowest price of a night for this party on these days, in cents; 0 if no room is free."""
    prices = [
        min(rate.cents for rate in room.rates)
        for room in hotel.rooms
        if words.ROOM_SLEEPS[room.kind] * query.rooms >= query.guests and is_free(room, query.checkin, query.checkout)
    ]
    return min(prices, default=0)


def _wanted(offer: Offer, query: StayQuery) -> bool:
    hotel = offer.hotel
    if query.price and not 0 < offer.cents <= int(query.price) * 100:
        return False
    return hotel.stars >= int(query.stars or 0) and set(query.has) <= set(hotel.amenities)


def find_trips(world: World, query: TripQuery) -> tuple[Departure, ...]:
    """The departures that a search finds, in its order: of the return, if the way out is chosen."""
    if query.out:
        found = departures(world, query.to, query.origin, query.back)
    else:
        found = departures(world, query.origin, query.to, query.depart)
    kept = [
        one
        for one in found
        if (not query.stops or len(one.stops) <= int(query.stops))
        and query.operator in ("", one.operator)
        and query.time in ("", one.part_of_day)
    ]
    match query.sort:
        case "price":
            kept.sort(key=lambda one: one.cents)
        case "duration":
            kept.sort(key=lambda one: one.minutes)
        case "arrival":
            kept.sort(key=lambda one: (one.overnight, one.arrives))
        case _:
            pass
    return tuple(kept)


def known_departure(world: World, key: str) -> Departure | None:
    """A departure by its id, if there is one."""
    try:
        return departure(world, key)
    except KeyError:
        return None


def page_of(items: tuple[T, ...], page: int, size: int) -> tuple[tuple[T, ...], int, int]:
    """What is on a page; which page that is and how many there are."""
    pages = max(1, -(-len(items) // size))
    page = min(max(1, page), pages)
    return items[(page - 1) * size : page * size], page, pages


def _city(world: World, raw: Mapping[str, str], name: str, errors: dict[str, str], *, stays: bool = False) -> str:
    text = raw.get(name, "")
    if not text.strip():
        errors[name] = "Choose a place."
        return ""
    match cities_like(world, text, stays=stays):
        case (city,):
            return city.id
        case ():
            errors[name] = f"We do not go to \u201c{text}\u201d."
        case several:
            errors[name] = f"Which one: {', '.join(city.name for city in several[:4])}?"
    return ""


def _day(raw: Mapping[str, str], name: str, errors: dict[str, str]) -> str:
    text = raw.get(name, "").strip()
    if not text:
        return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        errors[name] = "Write the date as YYYY-MM-DD."
        return ""


def _number(raw: Mapping[str, str], name: str, default: int, most: int, errors: dict[str, str]) -> int:
    text = raw.get(name, "").strip()
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= most:
        return int(text)
    if text:
        errors[name] = f"From 1 to {most}."
    return default


def _page(raw: Mapping[str, str]) -> int:
    text = raw.get("page", "")
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 else 1


def _one_of(raw: Mapping[str, str], name: str, options: tuple[tuple[str, str], ...]) -> str:
    value = raw.get(name, "")
    return value if value in {key for key, _ in options} else ""

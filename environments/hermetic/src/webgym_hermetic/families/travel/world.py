"""Records of a travel site's world, its immutable initial content."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cached_property
from typing import Any, Literal

from webgym.records.base import Record
from webgym_hermetic.families.travel.modes import Mode, modes

Focus = Literal["stays", "trips", "both"]
DAYS_AHEAD = 120
"""How far ahead one can book."""


class City(Record, frozen=True):
    """A destination."""

    id: str
    name: str
    country: str
    currency: str
    language: str
    code: str
    """Of its airport or station: three letters."""
    x: int
    y: int
    """On the map, each from 0 to 100."""
    blurb: str
    best_month: str
    airport_km: int
    transfer_minutes: int
    day_pass: int
    """Price of local transport for a day, in cents."""
    sight: str
    sight_opens: str
    dish: str
    tourist_phone: str
    stays: bool
    """Whether there are hotels on offer."""


class Rate(Record, frozen=True):
    """A room rate: board, cancellation policy and price."""

    id: str
    cents: int
    """A night."""


class Room(Record, frozen=True):
    """A room type of a hotel."""

    kind: str
    size: int
    rates: tuple[Rate, ...]
    full_from: str = ""
    """First night on which it is sold out."""
    full_to: str = ""
    """First night on which it is free again."""


class Hotel(Record, frozen=True):
    """A hotel with its rooms and facilities."""

    id: str
    name: str
    city: str
    chain: str
    stars: int
    score: int
    """Of 100."""
    reviews: int
    metres: int
    """To the centre."""
    district: str
    address: str
    phone: str
    blurb: str
    amenities: tuple[str, ...]
    checkin: str
    checkout: str
    pets: str
    breakfast: int
    """Price of breakfast for a person, in cents."""
    parking: int
    """Price of a parking space for a night, in cents."""
    opened: int
    floors: int
    deposit: int
    rooms: tuple[Room, ...]

    @property
    def rating(self) -> str:
        return f"{self.score // 10}.{self.score % 10}"

    @property
    def distance(self) -> str:
        return f"{self.metres / 1000:.1f} km"

    def room(self, kind: str) -> Room:
        """Raises KeyError if it has none of that kind."""
        for room in self.rooms:
            if room.kind == kind:
                return room
        raise KeyError(kind)


class Fare(Record, frozen=True):
    """A fare class."""

    id: str
    name: str
    percent: int
    bags: int
    kilos: int
    change_fee: int
    """In cents; 0 is free."""
    refundable: bool


class Person(Record, frozen=True):
    """The account holder."""

    name: str
    email: str
    phone: str


class HelpRow(Record, frozen=True):
    """A rule stated in the help centre."""

    id: str
    label: str
    text: str
    question: str
    """What a visitor would ask: "how much a checked bag may weigh in Classic"."""
    value: str
    """The short answer, within the text."""


class HelpPage(Record, frozen=True):
    """An article of the help centre."""

    id: str
    title: str
    icon: str
    intro: str
    rows: tuple[HelpRow, ...]


class World(Record, frozen=True, dict=True, gc=True):
    """The world of a travel site: offers, places, rules and the signed-in customer."""

    seed: str
    brand: str
    today: str
    focus: Focus
    mode_id: str
    tagline: str
    cities: tuple[City, ...]
    hotels: tuple[Hotel, ...]
    operators: tuple[str, ...]
    fares: tuple[Fare, ...]
    account: Person
    card: str
    debit: str
    loyalty: str
    """Name of the loyalty programme."""
    help: tuple[HelpPage, ...]
    page_size: int
    typed_places: bool
    """Whether one types the names of places or chooses them from a list."""

    @property
    def mode(self) -> Mode:
        return modes()[self.mode_id]

    @property
    def has_stays(self) -> bool:
        return self.focus != "trips"

    @property
    def has_trips(self) -> bool:
        return self.focus != "stays"

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def hotel(self) -> dict[str, Hotel]:
        return {hotel.id: hotel for hotel in self.hotels}

    @cached_property
    def fare(self) -> dict[str, Fare]:
        return {fare.id: fare for fare in self.fares}

    @cached_property
    def hotels_in(self) -> dict[str, tuple[Hotel, ...]]:
        return {city.id: tuple(hotel for hotel in self.hotels if hotel.city == city.id) for city in self.stay_cities}

    @cached_property
    def stay_cities(self) -> tuple[City, ...]:
        return tuple(city for city in self.cities if city.stays)

    @cached_property
    def help_page(self) -> dict[str, HelpPage]:
        return {page.id: page for page in self.help}

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What was computed from this world before, by name."""
        return {}

    @property
    def first_day(self) -> str:
        return ahead(self.today, 1)

    @property
    def last_day(self) -> str:
        return ahead(self.today, DAYS_AHEAD)


def ahead(day: str, days: int) -> str:
    """An ISO date so many days later."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def nights_between(checkin: str, checkout: str) -> int:
    return (date.fromisoformat(checkout) - date.fromisoformat(checkin)).days


def is_free(room: Room, checkin: str, checkout: str) -> bool:
    """Whether the room is free for all nights of a stay; without dates, it counts as free."""
    if not room.full_from or not checkin or not checkout:
        return True
    return checkout <= room.full_from or checkin >= room.full_to

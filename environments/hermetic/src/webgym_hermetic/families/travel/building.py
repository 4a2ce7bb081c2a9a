"""A world from a site's seed: its cities, its fares, its rules."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec.structs import replace

from webgym.rng import Rng
from webgym_hermetic.families.travel import places, words
from webgym_hermetic.families.travel.hotels import hotels_in
from webgym_hermetic.families.travel.modes import modes
from webgym_hermetic.families.travel.places import known_places
from webgym_hermetic.families.travel.rules import help_pages
from webgym_hermetic.families.travel.words import travel_words
from webgym_hermetic.families.travel.world import City, Fare, Focus, Person, World
from webgym_hermetic.site import Site

_TAGLINES = (
    "Go somewhere good", "Travel, made plain", "Every journey starts here", "Less planning, more going",
    "Book it today, leave tomorrow", "Find the place, keep the price", "Your next trip, sorted",
    "See more of the world",
)  # fmt: skip
_LOYALTY = ("Compass Club", "Milestone", "Wayfarer Rewards", "Horizon Points", "Nomad Circle", "Lodestar")
_FIRST_DAY = date(2026, 1, 12)
_CITIES = 28
_STAY_CITIES = 13


def build(site: Site) -> World:
    """Everything on a site."""
    rng = Rng("travel", site.seed)
    focus = rng.fork("focus").weighted(_FOCUSES)
    drawn = rng.fork("mode").weighted((("flights", 4), ("trains", 3), ("ferries", 2), ("coaches", 2)))
    mode = modes()["flights" if focus == "stays" else drawn]
    cities = _cities(rng.fork("cities"), stays=focus != "trips")
    fares = _fares(rng.fork("fares"), mode.id)
    today = (_FIRST_DAY + timedelta(days=rng.fork("today").below(280))).isoformat()
    offers = [hotels_in(city, today, rng.fork("hotels", city.id)) for city in cities if city.stays]
    return World(
        seed=site.seed,
        brand=site.brand,
        today=today,
        focus=focus,
        mode_id=mode.id,
        tagline=rng.fork("tagline").pick(_TAGLINES),
        cities=cities,
        hotels=tuple(hotel for offer in offers for hotel in offer),
        operators=tuple(sorted(rng.fork("operators").sample(mode.operators, 4))),
        fares=fares,
        account=_person(rng.fork("account")),
        card=f"{rng.fork('card').between(1000, 9999)}",
        debit=f"{rng.fork('debit').between(1000, 9999)}",
        loyalty=rng.fork("loyalty").pick(_LOYALTY),
        help=help_pages(rng.fork("help"), fares, mode, focus),
        page_size=rng.fork("page size").between(5, 7),
        typed_places=rng.fork("typed places").chance(0.5),
    )


_FOCUSES: tuple[tuple[Focus, float], ...] = (("both", 0.56), ("stays", 0.24), ("trips", 0.2))


def _cities(rng: Rng, *, stays: bool) -> tuple[City, ...]:
    countries = rng.sample(known_places().countries, 9)
    pairs = [(country, name) for country in countries[:4] for name in country.cities[:2]]
    others = [(country, name) for country in countries for name in country.cities[2:]]
    pairs += [(country, country.cities[0]) for country in countries[4:]]
    chosen = (pairs + rng.shuffled(others))[:_CITIES]
    codes: set[str] = set()
    cities = tuple(_city(rng.fork(name), country, name, codes) for country, name in chosen)
    if not stays:
        return tuple(sorted(cities, key=lambda city: city.name))
    hosts = {city.id for city in (*cities[:4], *rng.fork("hosts").sample(cities[4:], _STAY_CITIES - 4))}
    marked = (replace(city, stays=True) if city.id in hosts else city for city in cities)
    return tuple(sorted(marked, key=lambda city: city.name))


def _city(rng: Rng, country: places.Country, name: str, codes: set[str]) -> City:
    known = known_places()
    sight, dish, district = rng.pick(known.sights), rng.pick(known.dishes), rng.pick(known.districts)
    blurb = rng.pick(known.blurbs)
    return City(
        id=words.slug(name),
        name=name,
        country=country.name,
        currency=country.currency,
        language=country.language,
        code=_code(name, codes),
        x=rng.between(6, 94),
        y=rng.between(8, 92),
        blurb=blurb.format(city=name, country=country.name, sight=sight, dish=dish, district=district),
        best_month=rng.pick(places.MONTHS),
        airport_km=rng.between(4, 48),
        transfer_minutes=rng.between(12, 75),
        day_pass=rng.between(6, 30) * 50,
        sight=sight,
        sight_opens=f"{rng.between(8, 11):02d}:{rng.pick(('00', '30'))}",
        dish=dish,
        tourist_phone=words.phone(rng),
        stays=False,
    )


def _code(name: str, taken: set[str]) -> str:
    letters = [letter for letter in name.upper() if letter.isascii() and letter.isalpha()]
    count = len(letters)
    for second in range(1, count):
        for third in range(second + 1, count):
            code = letters[0] + letters[second] + letters[third]
            if code not in taken:
                taken.add(code)
                return code
    raise ValueError(f"no code left for {name}")


def _fares(rng: Rng, mode: str) -> tuple[Fare, ...]:
    return tuple(
        Fare(
            id=words_.id,
            name=words_.name,
            percent=words_.percent,
            bags=words_.bags,
            kilos=rng.pick(words_.kilos),
            change_fee=rng.pick(words_.change_fee) * 100,
            refundable=words_.refundable,
        )
        for words_ in modes()[mode].fares
    )


def _person(rng: Rng) -> Person:
    first, last = rng.pick(travel_words().first_names), rng.pick(travel_words().last_names)
    email = f"{first}.{last}@{rng.pick(travel_words().mail_hosts)}".lower()
    return Person(name=f"{first} {last}", email=email, phone=words.phone(rng))

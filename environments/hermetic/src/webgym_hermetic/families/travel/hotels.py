"""Hotels of a city, some of them easily mistaken for each other."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.places import known_places
from webgym_hermetic.families.travel.words import travel_words
from webgym_hermetic.families.travel.world import City, Hotel, Rate, Room, ahead


def hotels_in(city: City, today: str, rng: Rng) -> tuple[Hotel, ...]:
    """Seven to nine hotels: two of one chain, two of nearly the same name, and others."""
    names = _names(rng.fork("names"), rng.between(7, 9))
    return tuple(_hotel(city, today, naming, rng.fork(naming[0])) for naming in names)


def _names(rng: Rng, count: int) -> list[tuple[str, str, str]]:
    """Name, chain, district."""
    districts = rng.sample(known_places().districts, count)
    chain = rng.pick(travel_words().chains)
    stems = rng.sample(travel_words().hotel_stems, count)
    one, other = rng.sample(travel_words().hotel_shapes, 2)
    names = [(f"{chain} {districts[0]}", chain), (f"{chain} {districts[1]}", chain)]
    names += [(one.format(stem=stems[0]), ""), (other.format(stem=stems[0]), "")]
    names += [(rng.pick(travel_words().hotel_shapes).format(stem=stem), "") for stem in stems[1 : count - 3]]
    return rng.shuffled([(name, owner, district) for (name, owner), district in zip(names, districts, strict=True)])


def _hotel(city: City, today: str, naming: tuple[str, str, str], rng: Rng) -> Hotel:
    name, chain, district = naming
    stars = rng.weighted(((2, 2), (3, 4), (4, 4), (5, 2)))
    amenities = {"wifi"} if rng.chance(0.9) else set[str]()
    amenities |= {key for key, _, _ in words.AMENITIES[1:] if rng.chance(0.22 + 0.08 * stars)}
    opened, near = rng.between(1890, 2019), f"near {district}"
    return Hotel(
        id=words.slug(f"{name} {city.name}"),
        name=name,
        city=city.id,
        chain=chain,
        stars=stars,
        score=min(98, rng.between(68, 88) + 2 * stars),
        reviews=rng.between(40, 2400),
        metres=rng.between(1, 70) * 100,
        district=district,
        address=f"{rng.between(1, 180)} {rng.pick(known_places().streets)}, {district}",
        phone=words.phone(rng),
        blurb=rng.pick(travel_words().hotel_blurbs).format(near=near, year=rng.between(2015, 2025), opened=opened),
        amenities=tuple(key for key, _, _ in words.AMENITIES if key in amenities),
        checkin=f"{rng.between(13, 16)}:{rng.pick(('00', '30'))}",
        checkout=f"{rng.between(10, 12)}:{rng.pick(('00', '30'))}",
        pets=_pets(rng, allowed="pets" in amenities),
        breakfast=rng.between(6, 26) * 100,
        parking=rng.between(5, 35) * 100,
        opened=opened,
        floors=rng.between(3, 14),
        deposit=rng.between(2, 12) * 2500,
        rooms=_rooms(rng.fork("rooms"), stars, today),
    )


def _rooms(rng: Rng, stars: int, today: str) -> tuple[Room, ...]:
    base = 30 + 26 * stars + rng.between(0, 45)
    others = [kind for kind in words.ROOMS if kind[0] != "double"]
    kinds = {"double", *(kind[0] for kind in rng.sample(others, rng.between(2, 3)))}
    return tuple(_room(rng.fork(kind[0]), kind, base, today) for kind in words.ROOMS if kind[0] in kinds)


def _room(rng: Rng, words_of: words.RoomWords, base: int, today: str) -> Room:
    kind, _, _, _, sizes, percent = words_of
    rates = [rate for rate in words.RATES if rate[0] == "flex" or rng.chance(0.6)]
    if len(rates) == 1:
        rates.append(words.RATES[2])
    first, days = rng.between(5, 80), rng.between(12, 40)
    full = rng.chance(0.3)
    return Room(
        kind=kind,
        size=rng.between(*sizes),
        rates=tuple(Rate(id=rate[0], cents=round(base * percent * rate[3] / 10_000) * 100) for rate in rates),
        full_from=ahead(today, first) if full else "",
        full_to=ahead(today, first + days) if full else "",
    )


def _pets(rng: Rng, *, allowed: bool) -> str:
    if not allowed:
        return "Pets are not allowed"
    return rng.pick(("Pets stay free of charge", f"Pets are welcome for ${rng.between(6, 24)} a night"))

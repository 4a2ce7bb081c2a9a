"""Departures of a day: computed from the seed when someone asks, never stored."""

from __future__ import annotations

from functools import lru_cache

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.travel.modes import modes
from webgym_hermetic.families.travel.world import City, Fare, World


class Departure(Record, frozen=True):
    """One way to get from here to there."""

    id: str
    origin: str
    to: str
    day: str
    operator: str
    number: str
    leaves: str
    minutes: int
    stops: tuple[str, ...]
    """Names of the cities where one changes."""
    cents: int
    """Cheapest fare."""
    left: int
    """Seats; 0 is sold out."""

    @property
    def arrives(self) -> str:
        hours, minutes = self.leaves.split(":")
        total = int(hours) * 60 + int(minutes) + self.minutes
        return f"{total // 60 % 24:02d}:{total % 60:02d}"

    @property
    def overnight(self) -> bool:
        hours, minutes = self.leaves.split(":")
        return int(hours) * 60 + int(minutes) + self.minutes >= 24 * 60

    @property
    def duration(self) -> str:
        return f"{self.minutes // 60} h {self.minutes % 60:02d} min"

    @property
    def part_of_day(self) -> str:
        return "morning" if self.leaves < "12:00" else "afternoon" if self.leaves < "18:00" else "evening"

    def price(self, fare: Fare) -> int:
        """For one traveller, in cents."""
        return round(self.cents * fare.percent / 10_000) * 100


def departures(world: World, origin: str, to: str, day: str) -> tuple[Departure, ...]:
    """Everything that leaves on a day, in the order of time; nothing outside the days on sale."""
    if origin == to or not world.first_day <= day <= world.last_day:
        return ()
    return _departures(world.seed, world.mode_id, world.operators, world.city[origin], world.city[to], day)


def departure(world: World, key: str) -> Departure:
    """One departure by its id.

    Raises:
        KeyError: There is none.
    """
    parts = key.split("-")
    if len(parts) != 4 or len(parts[2]) != 8 or not (parts[2] + parts[3]).isdecimal():
        raise KeyError(key)
    by_code = {city.code.lower(): city.id for city in world.cities}
    day = f"{parts[2][:4]}-{parts[2][4:6]}-{parts[2][6:]}"
    for one in departures(world, by_code[parts[0]], by_code[parts[1]], day):
        if one.id == key:
            return one
    raise KeyError(key)


@lru_cache(maxsize=512)
def _departures(
    seed: str, mode_id: str, operators: tuple[str, ...], origin: City, to: City, day: str
) -> tuple[Departure, ...]:
    mode = modes()[mode_id]
    rng = Rng("departures", seed, origin.id, to.id, day)
    distance = max(8.0, ((origin.x - to.x) ** 2 + (origin.y - to.y) ** 2) ** 0.5)
    count = rng.between(8, 13)
    slots = sorted(rng.sample(range(5 * 12, 23 * 12), count))
    cheapest = mode.price * distance + 14
    made: list[Departure] = []
    for number, slot in enumerate(slots):
        operator = rng.pick(operators)
        stops = rng.weighted(((0, 55), (1, 33), (2, 12)))
        minutes = round((mode.base + mode.speed * distance + 45 * stops) * (0.9 + 0.25 * rng.unit()) / 5) * 5
        made.append(
            Departure(
                id=f"{origin.code}-{to.code}-{day.replace('-', '')}-{number + 1}".lower(),
                origin=origin.id,
                to=to.id,
                day=day,
                operator=operator,
                number=f"{mode.codes[mode.operators.index(operator)]} {rng.between(102, 989)}",
                leaves=f"{slot // 12:02d}:{slot % 12 * 5:02d}",
                minutes=minutes,
                stops=_stops(rng, stops),
                cents=round(cheapest * (0.8 + 0.7 * rng.unit()) * (1 - 0.08 * stops)) * 100,
                left=0 if rng.chance(0.12) else rng.weighted(((rng.between(1, 5), 2), (rng.between(6, 60), 8))),
            )
        )
    return tuple(made)


_JUNCTIONS = ("Ravensford", "Arlon Cross", "Marienhof", "Tarvino", "Castlebridge", "Linares Sur", "Oakhaven", "Vestby")


def _stops(rng: Rng, count: int) -> tuple[str, ...]:
    return tuple(rng.sample(_JUNCTIONS, count))

"""The first page: a search panel and a look at what is on offer."""

from __future__ import annotations

from typing import Any

from webgym.rng import Rng
from webgym_hermetic.families.travel.departures import Departure, departures
from webgym_hermetic.families.travel.describing import summary
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import StayQuery, address, cheapest
from webgym_hermetic.families.travel.pages.panel import blank_panels
from webgym_hermetic.families.travel.state import Draft, State
from webgym_hermetic.families.travel.world import City, World, ahead
from webgym_hermetic.family import Page, Reply, Visit

SCENES = (
    "mountains", "beach", "city", "harbour", "village", "lake", "island", "vineyard", "countryside", "river",
    "night-city", "forest",
)  # fmt: skip


@FAMILY.get("/")
def home(visit: Visit) -> Reply:
    """Search, destinations, deals, departures of the next day."""
    world: World = visit.world
    state: State = visit.state
    standing = [booking for booking in reversed(state.bookings) if not booking.cancelled][:3]
    trips = [(one.ref, summary(world, Draft(what=one.what, details=one.details))) for one in standing]
    return Page("home.html", world.brand, {**blank_panels(world), **_offers(world), "next_trips": trips})


def _offers(world: World) -> dict[str, Any]:
    rng = Rng("home", world.seed)
    cities = rng.fork("cities").sample(world.stay_cities or world.cities, 6)
    hotels = rng.fork("hotels").sample(world.hotels, 6)
    return {
        "hero": f"scene:{rng.fork('hero').pick(('mountains', 'beach', 'harbour', 'island', 'lake', 'vineyard'))}",
        "featured": [(city, scene_of(city), city_href(world, city)) for city in cities],
        "deals": [(hotel, world.city[hotel.city], cheapest(hotel, StayQuery())) for hotel in hotels],
        "pins": _pins(world),
        "board": _board(world, rng.fork("board")) if world.has_trips else [],
        "board_day": ahead(world.today, 3),
    }


def _pins(world: World) -> list[City]:
    """Cities whose names do not lie over each other on the map."""
    shown: list[City] = []
    for city in world.cities:
        if 10 < city.x < 90 and all(abs(city.x - one.x) > 20 or abs(city.y - one.y) > 6 for one in shown):
            shown.append(city)
    return shown


def _board(world: World, rng: Rng) -> list[Departure]:
    hub, *others = rng.sample(world.cities, 5)
    day = ahead(world.today, 3)
    found = [rng.fork(other.id).pick(departures(world, hub.id, other.id, day)) for other in others for _ in range(2)]
    return sorted({one.id: one for one in found}.values(), key=lambda one: (one.leaves, one.id))


def scene_of(city: City) -> str:
    """The picture that goes with a city."""
    return f"scene:{Rng('scene', city.id).pick(SCENES)}"


def city_href(world: World, city: City) -> str:
    """Where a city's picture leads: its hotels, or its guide."""
    return address("/stays", {"dest": city.id}) if city.stays and world.has_stays else f"/guide/{city.id}"

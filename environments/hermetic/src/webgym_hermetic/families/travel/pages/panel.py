"""The search panel: what its fields hold and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webgym_hermetic.families.travel import finding
from webgym_hermetic.families.travel.finding import StayQuery, TripQuery
from webgym_hermetic.families.travel.world import World


def stay_panel(world: World, query: StayQuery, raw: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, Any]:
    """For the form that searches stays."""
    city = world.city.get(query.dest)
    return {
        "dest": city.id if city else "",
        "dest_text": city.name if city else raw.get("dest", ""),
        "checkin": query.checkin or raw.get("checkin", ""),
        "checkout": query.checkout or raw.get("checkout", ""),
        "guests": query.guests,
        "rooms": query.rooms,
        "errors": errors,
        "cities": tuple((city.id, city.name) for city in world.stay_cities),
    }


def trip_panel(world: World, query: TripQuery, raw: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, Any]:
    """For the form that searches departures."""
    origin, to = world.city.get(query.origin), world.city.get(query.to)
    return {
        "origin": origin.id if origin else "",
        "origin_text": origin.name if origin else raw.get("origin", ""),
        "to": to.id if to else "",
        "to_text": to.name if to else raw.get("to", ""),
        "depart": query.depart or raw.get("depart", ""),
        "back": query.back or raw.get("back", ""),
        "way": "return" if raw.get("way") == "return" else "one",
        "ways": finding.WAYS,
        "travellers": query.travellers,
        "fare": query.fare or world.fares[0].id,
        "fares": tuple((fare.id, fare.name) for fare in world.fares),
        "errors": errors,
        "cities": tuple((city.id, city.name) for city in world.cities),
    }


def blank_panels(world: World) -> dict[str, Any]:
    """Both forms, empty."""
    return {
        "stay_panel": stay_panel(world, StayQuery(), {}, {}),
        "trip_panel": trip_panel(world, TripQuery(), {}, {}),
    }

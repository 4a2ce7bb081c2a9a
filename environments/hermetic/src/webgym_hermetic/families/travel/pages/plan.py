"""One question a page: where, when, with whom. Leads to the same searches as the panel."""

from __future__ import annotations

from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import address, read_stay, read_trip
from webgym_hermetic.families.travel.pages.home import scene_of
from webgym_hermetic.families.travel.pages.panel import stay_panel, trip_panel
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Missing, Page, Reply, Visit

STAY_STEPS = (
    ("where", "Where would you like to stay?", ()),
    ("when", "When are you travelling?", ("dest",)),
    ("who", "Who is coming along?", ("dest", "checkin", "checkout")),
)
TRIP_STEPS = (
    ("from", "Where do you start?", ()),
    ("to", "Where would you like to go?", ("origin",)),
    ("when", "When do you leave?", ("origin", "to")),
    ("who", "Who is travelling?", ("origin", "to", "depart", "way", "back")),
)
"""Step, question, and the answers that it carries along."""


@FAMILY.get("/plan/stay/{step}")
def plan_stay(visit: Visit, step: str) -> Reply:
    """One question about a stay."""
    world: World = visit.world
    names = [name for name, _, _ in STAY_STEPS]
    if step not in names or not world.has_stays or visit.site.structure != "concierge":
        return Missing()
    index = names.index(step)
    query, errors = read_stay(world, visit.query)
    onward = f"/plan/stay/{names[index + 1]}" if index + 1 < len(names) else "/stays"
    carried = _carried(visit, STAY_STEPS[index][2])
    context = {
        "kind": "stay",
        "step": step,
        "index": index,
        "steps": [(name, f"/plan/stay/{name}") for name in names],
        "question": STAY_STEPS[index][1],
        "carried": carried,
        "onward": onward,
        "panel_values": stay_panel(world, query, visit.query, errors if visit.query.get("tried") else {}),
        "cards": [(city, scene_of(city), address(onward, {**carried, "dest": city.id})) for city in world.stay_cities],
        "start_over": "/plan/stay/where",
    }
    return Page("plan.html", STAY_STEPS[index][1], context)


@FAMILY.get("/plan/trip/{step}")
def plan_trip(visit: Visit, step: str) -> Reply:
    """One question about a journey."""
    world: World = visit.world
    names = [name for name, _, _ in TRIP_STEPS]
    if step not in names or not world.has_trips or visit.site.structure != "concierge":
        return Missing()
    index = names.index(step)
    query, errors = read_trip(world, visit.query)
    onward = f"/plan/trip/{names[index + 1]}" if index + 1 < len(names) else "/trips"
    carried = _carried(visit, TRIP_STEPS[index][2])
    field = "origin" if step == "from" else "to"
    cities = [city for city in world.cities if city.id != query.origin or step != "to"]
    context = {
        "kind": "trip",
        "step": step,
        "index": index,
        "steps": [(name, f"/plan/trip/{name}") for name in names],
        "question": TRIP_STEPS[index][1],
        "carried": carried,
        "onward": onward,
        "panel_values": trip_panel(world, query, visit.query, errors if visit.query.get("tried") else {}),
        "cards": [(city, scene_of(city), address(onward, {**carried, field: city.id})) for city in cities],
        "start_over": "/plan/trip/from",
    }
    return Page("plan.html", TRIP_STEPS[index][1], context)


def _carried(visit: Visit, names: tuple[str, ...]) -> dict[str, str]:
    return {name: visit.query[name] for name in names if visit.query.get(name)}

"""A departure's page: times, stops, luggage, fares, and the way to book it."""

from __future__ import annotations

from collections.abc import Mapping

from webgym_hermetic.families.travel import finding
from webgym_hermetic.families.travel.departures import Departure
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import TripQuery, address
from webgym_hermetic.families.travel.pages.hotel import first_step
from webgym_hermetic.families.travel.state import Trip, fits
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/trip/{key}")
def trip_page(visit: Visit, key: str) -> Reply:
    """Everything about a departure."""
    return _trip(visit, key, visit.query, "")


@FAMILY.post("/trip/{key}")
def select(visit: Visit, key: str) -> Reply:
    """Take this departure: on to the return, if one is wanted, or to the booking form."""
    world: World = visit.world
    here = finding.known_departure(world, key)
    fare = visit.form.get("fare", "")
    if here is None or fare not in world.fare:
        return Missing()
    query, out = _read(world, here, visit.form)
    if query.back and out is None:
        if not here.left:
            return _trip(visit, key, visit.form, "This departure is sold out.")
        return Go(address("/trips", {**query.params(), "fare": fare, "out": key}))
    trip = Trip(out=out.id if out else key, back=key if out else "", fare=fare, travellers=query.travellers)
    if why := fits(world, trip):
        return _trip(visit, key, visit.form, why)
    args = {name: getattr(trip, name) for name in trip.__struct_fields__}
    return Go(first_step(visit.site.structure), (Event("chose", {"kind": "trip", **args}),))


def _read(world: World, here: Departure, raw: Mapping[str, str]) -> tuple[TripQuery, Departure | None]:
    """The search that a departure's page belongs to, and the way out if this is about the return."""
    out = finding.known_departure(world, raw.get("out", "")) if raw.get("out") else None
    first = out or here
    query, errors = finding.read_trip(world, {**raw, "origin": first.origin, "to": first.to, "depart": first.day})
    if "back" in errors:
        query, _ = finding.read_trip(
            world, {**raw, "way": "", "origin": first.origin, "to": first.to, "depart": first.day}
        )
    return query, out


def _trip(visit: Visit, key: str, raw: Mapping[str, str], problem: str) -> Reply:
    world: World = visit.world
    here = finding.known_departure(world, key)
    if here is None or not world.has_trips:
        return Missing()
    query, out = _read(world, here, raw)
    fares = [fare for fare in world.fares if not out or fare.id == query.fare or not query.fare]
    context = {
        "trip": here,
        "origin": world.city[here.origin],
        "to": world.city[here.to],
        "fares": [(fare, here.price(fare), here.price(fare) * query.travellers) for fare in fares],
        "search": query,
        "out": out,
        "problem": problem,
        "posted": {name: value for name, value in query.who().items() if name != "fare"},
        "back_href": address("/trips", query.params()),
    }
    return Page("trip.html", f"{here.number} to {world.city[here.to].name}", context)

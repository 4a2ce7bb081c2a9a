"""What searches find: hotels and departures, with filters, order and pages."""

from __future__ import annotations

import math

from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import address
from webgym_hermetic.families.travel.pages.home import scene_of
from webgym_hermetic.families.travel.pages.hotel import room_rows
from webgym_hermetic.families.travel.pages.panel import stay_panel, trip_panel
from webgym_hermetic.families.travel.state import State
from webgym_hermetic.families.travel.world import Hotel, World, nights_between
from webgym_hermetic.family import Missing, Page, Reply, Visit


@FAMILY.get("/stays")
def stays(visit: Visit) -> Reply:
    """Hotels in a city."""
    world: World = visit.world
    state: State = visit.state
    if not world.has_stays:
        return Missing()
    query, errors = finding.read_stay(world, visit.query)
    found = () if errors else finding.find_stays(world, query)
    offers, page, pages = finding.page_of(found, query.page, world.page_size)
    city = world.city.get(query.dest)
    params = query.params()
    context = {
        "stay_panel": stay_panel(world, query, visit.query, errors),
        "search": query,
        "errors": errors,
        "city": city,
        "scene": scene_of(city) if city else "",
        "offers": [
            (
                offer,
                address(f"/hotel/{offer.hotel.id}", query.when()),
                room_rows(offer.hotel, query),
                _picture(offer.hotel.id),
            )
            for offer in offers
        ],
        "pins": [(offer, address(f"/hotel/{offer.hotel.id}", query.when()), *_spot(offer.hotel)) for offer in offers],
        "count": len(found),
        "total": len(world.hotels_in.get(query.dest, ())),
        "nights": nights_between(query.checkin, query.checkout)
        if query.checkin and query.checkout and not errors
        else 0,
        "carried": {
            name: params[name] for name in ("dest", "checkin", "checkout", "guests", "rooms") if name in params
        },
        "star_options": finding.STARS,
        "price_options": finding.PRICES,
        "amenity_options": [(key, words.AMENITY_NAMES[key]) for key in finding.FILTERED],
        "icons": {key: icon for key, _, icon in words.AMENITIES},
        "names": words.AMENITY_NAMES,
        "sort_options": finding.STAY_SORTS,
        "sorts": [(key, name, address("/stays", params, sort=key)) for key, name in finding.STAY_SORTS],
        "clear": address("/stays", {"dest": query.dest, **query.when()}),
        "filtered": bool(query.stars or query.price or query.has),
        "page": page,
        "pages": pages,
        "pager_href": address("/stays", params) + "&page={page}",
        "saved": state.saved,
    }
    title = f"Hotels in {city.name}" if city else "Find a place to stay"
    return Page("stays.html", title, context)


@FAMILY.get("/trips")
def trips(visit: Visit) -> Reply:
    """Departures between two cities."""
    world: World = visit.world
    if not world.has_trips:
        return Missing()
    query, errors = finding.read_trip(world, visit.query)
    out = finding.known_departure(world, query.out) if query.out else None
    if query.out and (out is None or not query.back):
        return Missing()
    found = () if errors else finding.find_trips(world, query)
    rows, page, pages = finding.page_of(found, query.page, world.page_size + 1)
    fare = world.fare[query.fare] if query.fare else world.fares[0]
    origin, to = world.city.get(query.origin), world.city.get(query.to)
    if out:
        origin, to = to, origin
    params = query.params()
    carried = ("origin", "to", "depart", "way", "back", "travellers", "fare", "out")
    context = {
        "trip_panel": trip_panel(world, query, visit.query, errors),
        "search": query,
        "errors": errors,
        "origin": origin,
        "to": to,
        "out": out,
        "day_of": query.back if out else query.depart,
        "rows": [(one, address(f"/trip/{one.id}", query.who()), one.price(fare)) for one in rows],
        "posted": {name: value for name, value in query.who().items() if name != "fare"},
        "fare": fare,
        "count": len(found),
        "carried": {name: params[name] for name in carried if name in params},
        "stop_options": finding.STOPS,
        "time_options": finding.TIMES,
        "operator_options": (("", "Any operator"), *((name, name) for name in world.operators)),
        "sort_options": finding.TRIP_SORTS,
        "sorts": [(key, name, address("/trips", params, sort=key)) for key, name in finding.TRIP_SORTS],
        "clear": address("/trips", {name: params[name] for name in carried if name in params}),
        "filtered": bool(query.stops or query.operator or query.time),
        "page": page,
        "pages": pages,
        "pager_href": address("/trips", params) + "&page={page}",
    }
    title = f"{origin.name} to {to.name}" if origin and to else f"Find {world.mode.many}"
    return Page("trips.html", title, context)


def _spot(hotel: Hotel) -> tuple[int, int]:
    """Where a hotel is on its city's map, in percent: the farther from the centre, the farther from the middle."""
    angle = sum(map(ord, hotel.id)) * 2.4
    reach = 8 + hotel.metres / 7000 * 36
    return round(50 + reach * math.cos(angle)), round(50 + reach * math.sin(angle) * 0.9)


def _picture(hotel: str) -> str:
    return f"room:{('bedroom', 'suite', 'lobby', 'pool', 'terrace', 'twin')[sum(map(ord, hotel)) % 6]}"

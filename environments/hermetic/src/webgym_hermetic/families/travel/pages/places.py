"""Guides to cities, saved places, and the site's search box."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.families.travel import finding
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import StayQuery, address, cheapest
from webgym_hermetic.families.travel.pages.home import scene_of
from webgym_hermetic.families.travel.state import State
from webgym_hermetic.families.travel.world import City, Hotel, World
from webgym_hermetic.family import Data, Event, Go, Missing, Page, Reply, Visit

_GUIDES_A_PAGE = 9
_SUGGESTIONS = 6


@FAMILY.get("/guides")
def guides(visit: Visit) -> Reply:
    """All cities, a page at a time."""
    world: World = visit.world
    raw = visit.query.get("page", "1")
    page = int(raw) if raw.isascii() and raw.isdecimal() and len(raw) < 4 else 1
    cities, page, pages = finding.page_of(world.cities, page, _GUIDES_A_PAGE)
    context = {
        "cities": [(city, scene_of(city)) for city in cities],
        "page": page,
        "pages": pages,
        "pager_href": "/guides?page={page}",
    }
    return Page("guides.html", "Destination guides", context)


@FAMILY.get("/guide/{key}")
def guide(visit: Visit, key: str) -> Reply:
    """What to know about a city."""
    world: World = visit.world
    state: State = visit.state
    city = world.city.get(key)
    if city is None:
        return Missing()
    context = {
        "city": city,
        "scene": scene_of(city),
        "facts": guide_facts(world, city),
        "hotels": [(hotel, cheapest(hotel, StayQuery())) for hotel in world.hotels_in.get(key, ())[:3]],
        "place": f"city:{key}",
        "is_saved": f"city:{key}" in state.saved,
    }
    return Page("guide.html", f"{city.name} guide", context)


def guide_facts(world: World, city: City) -> tuple[tuple[str, str, str], ...]:
    """Key, name and text of what one can ask about a city."""
    stop = world.mode.stop.capitalize()
    return (
        ("code", f"{stop} code", city.code),
        ("month", "Best month to visit", city.best_month),
        ("airport", f"{stop} to city centre", f"{city.airport_km} km"),
        ("transfer", "Transfer time", f"{city.transfer_minutes} minutes"),
        ("pass", "Day pass for local transport", f"${city.day_pass / 100:.2f}"),
        ("currency", "Currency", city.currency),
        ("language", "Language", city.language),
        ("sight", "Main sight", f"{city.sight}, opens at {city.sight_opens}"),
        ("dish", "Try this", city.dish.capitalize()),
        ("office", "Tourist office", city.tourist_phone),
    )


@FAMILY.get("/saved")
def saved(visit: Visit) -> Reply:
    """Places to remember."""
    world: World = visit.world
    state: State = visit.state
    rows: list[dict[str, Any]] = []
    for place in state.saved:
        kind, _, key = place.partition(":")
        if kind == "hotel":
            hotel = world.hotel[key]
            city = world.city[hotel.city]
            rows.append(
                {
                    "place": place,
                    "name": hotel.name,
                    "hint": f"Hotel in {city.name}",
                    "href": f"/hotel/{key}",
                    "picture": "room:bedroom",
                }
            )
        else:
            city = world.city[key]
            rows.append(
                {
                    "place": place,
                    "name": city.name,
                    "hint": f"City in {city.country}",
                    "href": f"/guide/{key}",
                    "picture": scene_of(city),
                }
            )
    return Page("saved.html", "Saved places", {"rows": rows})


@FAMILY.post("/save")
def save(visit: Visit) -> Reply:
    """Remember a place."""
    return _mark(visit, "kept", "Saved to your places")


@FAMILY.post("/unsave")
def unsave(visit: Visit) -> Reply:
    """Forget a place."""
    return _mark(visit, "dropped", "Removed from your places")


def _mark(visit: Visit, event: str, notice: str) -> Reply:
    world: World = visit.world
    place, back = visit.form.get("place", ""), visit.form.get("back", "/saved")
    kind, _, key = place.partition(":")
    if key not in {"hotel": world.hotel, "city": world.city}.get(kind, {}):
        return Missing()
    to = back if back.startswith("/") and not back.startswith("//") else "/saved"
    return Go(to, (Event(event, {"place": place}),), notice)


@FAMILY.get("/search")
def search(visit: Visit) -> Reply:
    """Hotels, cities and help articles by their names."""
    world: World = visit.world
    text = visit.query.get("q", "").strip()
    hits = _hits(world, text)
    return Page("found.html", f"Search: {text}" if text else "Search", {"text": text, "hits": hits})


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Reply:
    """Suggestions below the search box."""
    hits = _hits(visit.world, visit.query.get("q", ""))[:_SUGGESTIONS]
    return Data([{"label": hit["name"], "href": hit["href"], "hint": hit["hint"]} for hit in hits])


def _hits(world: World, text: str) -> list[dict[str, str]]:
    terms = text.lower().replace(",", " ").split()
    if not terms:
        return []
    hits: list[dict[str, str]] = []
    for city in world.cities:
        if _matches(terms, f"{city.name} {city.country} {city.code} guide"):
            hits.append(_hit(city.name, f"Guide, {city.country}", f"/guide/{city.id}", "map-pin", city.code))
            if city.stays:
                hits.append(_hit(f"Hotels in {city.name}", "Stays", address("/stays", {"dest": city.id}), "bed", ""))
    rules = [page for page in world.help if _matches(terms, f"{page.title} help {page.intro}")]
    hits += [_hotel_hit(world, hotel) for hotel in world.hotels if _means_hotel(world, terms, hotel)]
    hits += [_hit(page.title, "Help centre", f"/help/{page.id}", page.icon, "") for page in rules]
    return hits


def _means_hotel(world: World, terms: list[str], hotel: Hotel) -> bool:
    city = world.city[hotel.city].name
    return _matches(terms, f"{hotel.name} {city}") and not _matches(terms, city)


def _hotel_hit(world: World, hotel: Hotel) -> dict[str, str]:
    place = f"Hotel in {world.city[hotel.city].name}"
    return _hit(hotel.name, place, f"/hotel/{hotel.id}", "hotel", f"{hotel.stars} stars")


def _hit(name: str, hint: str, href: str, icon: str, extra: str) -> dict[str, str]:
    return {"name": name, "hint": hint, "href": href, "icon": icon, "extra": extra}


def _matches(terms: list[str], text: str) -> bool:
    lower = text.lower()
    return all(term in lower for term in terms)

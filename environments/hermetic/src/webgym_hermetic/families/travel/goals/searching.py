"""Operating the search panel, the filters and the lists of results."""

from __future__ import annotations

from webgym.records.base import Record
from webgym_hermetic import controls
from webgym_hermetic.families.travel import finding
from webgym_hermetic.families.travel.finding import StayQuery, TripQuery
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.world import World, ahead
from webgym_hermetic.view import Intent, View


class StayWish(Record, frozen=True):
    """A search for stays. What is empty or 0 does not matter."""

    dest: str
    checkin: str = ""
    checkout: str = ""
    guests: int = 0
    rooms: int = 0


class TripWish(Record, frozen=True):
    """A search for departures."""

    origin: str
    to: str
    depart: str
    back: str = ""
    travellers: int = 1
    fare: str = ""


def place(view: View, name: str, city: str) -> Intent | None:
    """A city, typed or chosen."""
    world: World = view.world
    return controls.write(view, name, world.city[city].name) or controls.choose(view, name, city)


def search_stays(view: View, wish: StayWish) -> Intent | None:
    """Towards the results of a search; None when they are shown."""
    if view.path == "/stays" and shows_stays(view, wish):
        return None
    if view.path.startswith("/plan/stay/") and (answer := _plan_stay(view, wish)):
        return answer
    if view.find("submit:stays") is None:
        return view.link("/plan/stay/where") or ways.home(view)
    return (
        place(view, "dest", wish.dest)
        or _stay_dates(view, wish)
        or _party(view, "guests", wish.guests, 2)
        or _party(view, "rooms", wish.rooms, 1)
        or view.tap("submit:stays")
    )


def shows_stays(view: View, wish: StayWish) -> bool:
    """Whether the results on this page are those of the search."""
    query, errors = finding.read_stay(view.world, view.query)
    return (
        not errors
        and query.dest == wish.dest
        and (not wish.checkin or (query.checkin, query.checkout) == (wish.checkin, wish.checkout))
        and wish.guests in (0, query.guests)
        and wish.rooms in (0, query.rooms)
    )


def _plan_stay(view: View, wish: StayWish) -> Intent | None:
    query, _ = finding.read_stay(view.world, view.query)
    if view.path == "/plan/stay/where":
        return view.link(f"/plan/stay/when?dest={wish.dest}")
    dates_lost = view.path == "/plan/stay/who" and (query.checkin, query.checkout) != (wish.checkin, wish.checkout)
    return view.link("/plan/stay/where") if query.dest != wish.dest or (wish.checkin and dates_lost) else None


def stay_dates(view: View, checkin: str, checkout: str) -> Intent | None:
    """Both dates of a stay."""
    return controls.pick_date(view, "checkin", checkin) or controls.pick_date(view, "checkout", checkout)


def _stay_dates(view: View, wish: StayWish) -> Intent | None:
    if wish.checkin:
        return stay_dates(view, wish.checkin, wish.checkout)
    first, last = view.find("date:checkin"), view.find("date:checkout")
    values = [control.value for control in (first, last) if control]
    world: World = view.world
    if not any(values) or (len(values) == 2 and _is_span(world, *values)):
        return None
    return stay_dates(view, ahead(world.first_day, 6), ahead(world.first_day, 8))


def _is_span(world: World, checkin: str, checkout: str) -> bool:
    raw = {"checkin": checkin, "checkout": checkout, "dest": world.stay_cities[0].id}
    return bool(checkin and checkout) and not finding.read_stay(world, raw)[1]


def _party(view: View, name: str, wanted: int, default: int) -> Intent | None:
    field = view.find(f"field:{name}")
    if wanted or field is None:
        return controls.count(view, name, wanted) if wanted else None
    return None if field.value in ("1", "2", "3", "4") else controls.count(view, name, default)


def search_trips(view: View, wish: TripWish) -> Intent | None:
    """Towards the departures of a search (of the way out); None when they are shown."""
    if view.path == "/trips" and shows_trips(view, wish) and not view.query.get("out"):
        return None
    if view.path.startswith("/plan/trip/") and (answer := _plan_trip(view, wish)):
        return answer
    if view.find("submit:trips") is None:
        return view.link("/plan/trip/from") or ways.home(view)
    return (
        place(view, "origin", wish.origin)
        or place(view, "to", wish.to)
        or controls.choose(view, "way", "return" if wish.back else "one")
        or controls.pick_date(view, "depart", wish.depart)
        or (controls.pick_date(view, "back", wish.back) if wish.back else None)
        or controls.count(view, "travellers", wish.travellers)
        or (controls.choose(view, "fare", wish.fare) if wish.fare else None)
        or view.tap("submit:trips")
    )


def shows_trips(view: View, wish: TripWish) -> bool:
    """Whether the departures on this page are those of the search."""
    query, errors = finding.read_trip(view.world, view.query)
    return (
        not errors
        and (query.origin, query.to, query.depart) == (wish.origin, wish.to, wish.depart)
        and (query.back, query.travellers) == (wish.back, wish.travellers)
    )


def _plan_trip(view: View, wish: TripWish) -> Intent | None:
    query, _ = finding.read_trip(view.world, view.query)
    match view.path.rpartition("/")[2]:
        case "from":
            return view.link(f"/plan/trip/to?origin={wish.origin}")
        case "to" if query.origin == wish.origin:
            return view.link(f"/plan/trip/when?origin={wish.origin}&to={wish.to}")
        case "when" if (query.origin, query.to) == (wish.origin, wish.to):
            return None
        case "who" if (query.origin, query.to, query.depart, query.back) == (
            wish.origin,
            wish.to,
            wish.depart,
            wish.back,
        ):
            return None
        case _:
            return view.link("/plan/trip/from")


def refine_stays(view: View, wanted: StayQuery) -> Intent | None:
    """Set the filters and the order of the stays shown; what is empty in the query does not matter. None when set."""
    query, _ = finding.read_stay(view.world, view.query)
    filters_set = (
        wanted.stars in ("", query.stars) and wanted.price in ("", query.price) and set(wanted.has) <= set(query.has)
    )
    if filters_set and wanted.sort in ("", query.sort):
        return None
    if filters_set and (chip := view.tap(f"do:sort:{wanted.sort}")):
        return chip
    return (
        (controls.choose(view, "sort", wanted.sort) if wanted.sort else None)
        or (controls.choose(view, "stars", wanted.stars) if wanted.stars else None)
        or (controls.choose(view, "price", wanted.price) if wanted.price else None)
        or next((do for key in wanted.has if (do := controls.switch(view, f"has-{key}", on=True))), None)
        or view.tap("submit:filter")
    )


def refine_trips(view: View, wanted: TripQuery) -> Intent | None:
    """Set the filters and the order of the departures shown; what is empty in the query does not matter."""
    query, _ = finding.read_trip(view.world, view.query)
    names = ("stops", "time", "operator")
    filters_set = all(getattr(wanted, name) in ("", getattr(query, name)) for name in names)
    if filters_set and wanted.sort in ("", query.sort):
        return None
    if filters_set and (chip := view.tap(f"do:sort:{wanted.sort}")):
        return chip
    settings = [(name, getattr(wanted, name)) for name in ("sort", *names) if getattr(wanted, name)]
    return next((do for name, value in settings if (do := controls.choose(view, name, value))), None) or view.tap(
        "submit:filter"
    )


def find_hotel(view: View, hotel: str) -> Intent | None:
    """On a page of results: open the hotel, or get to where it is listed."""
    world: World = view.world
    if tap := view.tap(f"hotel:{hotel}"):
        return tap
    query, _ = finding.read_stay(world, view.query)
    ids = [offer.hotel.id for offer in finding.find_stays(world, query)]
    if hotel not in ids:
        return view.tap("do:clear") or ways.home(view)
    return ways.turn(view, ids.index(hotel), world.page_size) or ways.home(view)


def find_trip(view: View, trip: str) -> Intent | None:
    """On a page of results: open the departure, or get to where it is listed."""
    world: World = view.world
    if tap := view.tap(f"trip:{trip}"):
        return tap
    query, _ = finding.read_trip(world, view.query)
    ids = [one.id for one in finding.find_trips(world, query)]
    if trip not in ids:
        return view.tap("do:clear") or ways.home(view)
    return ways.turn(view, ids.index(trip), world.page_size + 1) or ways.home(view)

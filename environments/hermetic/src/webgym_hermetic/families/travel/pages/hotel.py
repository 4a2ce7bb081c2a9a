"""A hotel's page, its reviews and the way to book one of its rooms."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.records.base import Record
from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.family import FAMILY
from webgym_hermetic.families.travel.finding import StayQuery, address
from webgym_hermetic.families.travel.reviews import GuestReview, reviews
from webgym_hermetic.families.travel.state import State, Stay, fits
from webgym_hermetic.families.travel.world import Hotel, World, is_free, nights_between
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

BOOK_STEPS = {"timetable": ("guests", "extras", "payment"), "concierge": ("guests", "extras", "payment")}
"""Structures whose booking form is spread over pages."""
_PARTS = ("lobby", "bedroom", "bathroom", "pool", "restaurant", "terrace", "spa", "gym")


class RateRow(Record, frozen=True):
    """What one way to book a room costs."""

    id: str
    board: str
    policy: str
    cents: int
    total: int


class RoomRow(Record, frozen=True):
    """A room as a hotel's page lists it."""

    kind: str
    name: str
    sleeps: int
    beds: str
    size: int
    rates: tuple[RateRow, ...]
    free: bool
    enough: bool


@FAMILY.get("/hotel/{key}")
def hotel_page(visit: Visit, key: str) -> Reply:
    """Everything about a hotel."""
    return _hotel(visit, key, visit.query, "")


@FAMILY.post("/hotel/{key}")
def reserve(visit: Visit, key: str) -> Reply:
    """Begin to book a room."""
    world: World = visit.world
    if key not in world.hotel:
        return Missing()
    query, errors = finding.read_stay(world, {**visit.form, "dest": world.hotel[key].city})
    room, rate = visit.form.get("room", ""), visit.form.get("rate", "")
    if errors or not query.checkin:
        return _hotel(visit, key, visit.form, "Choose your dates first, then a room.")
    stay = Stay(
        hotel=key,
        room=room,
        rate=rate,
        checkin=query.checkin,
        checkout=query.checkout,
        guests=query.guests,
        rooms=query.rooms,
    )
    try:
        why = fits(world, stay)
    except KeyError:
        return Missing()
    if why:
        return _hotel(visit, key, visit.form, why)
    args = {name: getattr(stay, name) for name in stay.__struct_fields__}
    return Go(first_step(visit.site.structure), (Event("chose", {"kind": "stay", **args}),))


def first_step(structure: str) -> str:
    """Where booking begins."""
    steps = BOOK_STEPS.get(structure)
    return f"/book/{steps[0]}" if steps else "/book"


def _hotel(visit: Visit, key: str, raw: Mapping[str, str], problem: str) -> Reply:
    world: World = visit.world
    state: State = visit.state
    hotel = world.hotel.get(key)
    if hotel is None:
        return Missing()
    city = world.city[hotel.city]
    query, errors = finding.read_stay(world, {**raw, "dest": city.id})
    shown = query if not errors else StayQuery(dest=city.id, guests=query.guests, rooms=query.rooms)
    near = [other for other in world.hotels_in[city.id] if other.id != key][:3]
    written = {review.hotel: review for review in state.reviews}
    context = {
        "hotel": hotel,
        "city": city,
        "search": query,
        "raw": raw,
        "errors": errors,
        "problem": problem,
        "rooms": room_rows(hotel, shown),
        "nights": nights_between(shown.checkin, shown.checkout) if shown.checkin else 0,
        "gallery": [f"room:{part}" for part in _parts(hotel)],
        "amenities": [(name, icon) for key_, name, icon in words.AMENITIES if key_ in hotel.amenities],
        "facts": facts(hotel),
        "near": [
            (other, finding.cheapest(other, shown), address(f"/hotel/{other.id}", shown.when())) for other in near
        ],
        "place": f"hotel:{key}",
        "is_saved": f"hotel:{key}" in state.saved,
        "back_href": address("/stays", {"dest": city.id, **shown.when()}),
        "own_review": written.get(key),
        "here": address(f"/hotel/{key}", query.when() if not errors else {}),
    }
    return Page("hotel.html", hotel.name, context)


def facts(hotel: Hotel) -> tuple[tuple[str, str, str], ...]:
    """What one can ask about a hotel: key, name, text."""
    return (
        ("checkin", "Check-in", f"From {hotel.checkin}"),
        ("checkout", "Check-out", f"Until {hotel.checkout}"),
        ("pets", "Pets", hotel.pets),
        ("breakfast", "Breakfast", f"${hotel.breakfast // 100} for each guest"),
        ("parking", "Parking", f"${hotel.parking // 100} a night"),
        ("deposit", "Deposit", f"${hotel.deposit // 100} on arrival"),
        ("distance", "Distance to centre", hotel.distance),
        ("opened", "Opened", str(hotel.opened)),
        ("floors", "Floors", str(hotel.floors)),
        ("phone", "Phone", hotel.phone),
    )


def room_rows(hotel: Hotel, query: StayQuery) -> tuple[RoomRow, ...]:
    """The rooms of a hotel for a party on some days."""
    nights = nights_between(query.checkin, query.checkout) if query.checkin and query.checkout else 0
    return tuple(
        RoomRow(
            kind=room.kind,
            name=words.ROOM_NAMES[room.kind],
            sleeps=words.ROOM_SLEEPS[room.kind],
            beds=words.ROOM_BEDS[room.kind],
            size=room.size,
            rates=tuple(
                RateRow(
                    id=rate.id,
                    board=words.RATE_BOARDS[rate.id],
                    policy=words.RATE_POLICIES[rate.id],
                    cents=rate.cents,
                    total=rate.cents * nights * query.rooms,
                )
                for rate in room.rates
            ),
            free=is_free(room, query.checkin, query.checkout),
            enough=words.ROOM_SLEEPS[room.kind] * query.rooms >= query.guests,
        )
        for room in hotel.rooms
    )


def _parts(hotel: Hotel) -> tuple[str, ...]:
    missing = {"pool", "spa", "gym", "restaurant"} - set(hotel.amenities)
    return tuple(part for part in _PARTS if part not in missing)[:6]


@FAMILY.get("/hotel/{key}/reviews")
def reviews_part(visit: Visit, key: str) -> Reply:
    """The part of a hotel's page that comes late."""
    world: World = visit.world
    state: State = visit.state
    if key not in world.hotel:
        return Missing()
    own = tuple(review for review in state.reviews if review.hotel == key)
    shown: tuple[GuestReview, ...] = reviews(world.hotel[key], world.today)
    return Page("reviews.html", "Reviews", {"hotel": world.hotel[key], "reviews": shown, "own": own}, part=True)


@FAMILY.get("/hotel/{key}/review")
def review_form(visit: Visit, key: str) -> Reply:
    """A form to write a review."""
    return _review_form(visit, key, {}, {})


@FAMILY.post("/hotel/{key}/review")
def write_review(visit: Visit, key: str) -> Reply:
    """Publish a review."""
    form = visit.form
    score = form.get("score", "")
    errors = {
        "score": "" if score in _SCORES else "Give a score from 1 to 10.",
        "title": "" if form.get("title", "").strip() else "Give your review a title.",
        "text": "" if len(form.get("text", "").strip()) >= 10 else "Write at least 10 characters.",
    }
    if any(errors.values()):
        return _review_form(visit, key, form, errors)
    if key not in visit.world.hotel:
        return Missing()
    args = {"hotel": key, "score": int(score), "title": form["title"].strip(), "text": form["text"].strip()}
    return Go(f"/hotel/{key}", (Event("reviewed", {**args}),), "Thank you, your review is published")


_SCORES = tuple(str(number) for number in range(1, 11))


def _review_form(visit: Visit, key: str, form: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    hotel = visit.world.hotel.get(key)
    if hotel is None:
        return Missing()
    scores = tuple((score, score) for score in _SCORES)
    return Page(
        "review.html", f"Review {hotel.name}", {"hotel": hotel, "form": form, "errors": errors, "scores": scores}
    )

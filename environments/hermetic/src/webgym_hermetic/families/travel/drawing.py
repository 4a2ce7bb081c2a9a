"""Goals drawn at random from a world: each one possible, none of them done already."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.departures import Departure, departures
from webgym_hermetic.families.travel.events import CHANNELS
from webgym_hermetic.families.travel.finding import StayQuery
from webgym_hermetic.families.travel.goals.changes import AmendBooking, EndBooking, MoveStay, can_move, extras_of
from webgym_hermetic.families.travel.goals.comparing import MEASURES, CompareHotels, CountStays, TellBestTrip
from webgym_hermetic.families.travel.goals.facts import (
    CITY_QUESTIONS,
    HOTEL_QUESTIONS,
    TellCity,
    TellHotel,
    TellPrice,
    TellReview,
    TellRule,
    hotel_value,
)
from webgym_hermetic.families.travel.goals.keeping import DropPlace, KeepPlaces, SetAlert, SetSettings
from webgym_hermetic.families.travel.goals.phrases import ARRIVAL_PHRASES, SEAT_PHRASES, travel_texts
from webgym_hermetic.families.travel.goals.showing import OpenHotel, ShowStays, ShowTrips
from webgym_hermetic.families.travel.goals.writing import SendMessage, WriteReview
from webgym_hermetic.families.travel.reviews import reviews
from webgym_hermetic.families.travel.state import Stay, start
from webgym_hermetic.families.travel.words import travel_words
from webgym_hermetic.families.travel.world import World, ahead


def a_name(rng: Rng) -> str:
    return f"{rng.pick(travel_words().first_names)} {rng.pick(travel_words().last_names)}"


def an_email(rng: Rng) -> str:
    first, last = rng.pick(travel_words().first_names), rng.pick(travel_words().last_names)
    return f"{first}.{last}@{rng.pick(travel_words().mail_hosts)}".lower()


def some_days(rng: Rng, world: World) -> tuple[str, str]:
    """Check-in and check-out."""
    checkin = ahead(world.today, rng.between(4, 80))
    return checkin, ahead(checkin, rng.between(1, 5))


def tell_hotel(rng: Rng, world: World) -> TellHotel | None:
    """Something about a hotel that is different at another one of the city."""
    if not world.hotels:
        return None
    hotel = rng.pick(world.hotels)
    goal = TellHotel(hotel.id, rng.pick(tuple(HOTEL_QUESTIONS)))
    return goal if any(rival != hotel_value(hotel, goal.key) for rival in goal.rivals(world)) else None


def tell_price(rng: Rng, world: World) -> TellPrice | None:
    """What a room costs."""
    if not world.hotels:
        return None
    hotel = rng.pick(world.hotels)
    room = rng.pick(hotel.rooms)
    return TellPrice(hotel.id, room.kind, rng.pick(room.rates).id)


def tell_review(rng: Rng, world: World) -> TellReview | None:
    """What a guest thought."""
    if not world.hotels:
        return None
    hotel = rng.pick(world.hotels)
    return TellReview(hotel.id, rng.pick(reviews(hotel, world.today)).id)


def tell_city(rng: Rng, world: World) -> TellCity:
    """Something from a guide."""
    return TellCity(rng.pick(world.cities).id, rng.pick(tuple(CITY_QUESTIONS)))


def tell_rule(rng: Rng, world: World) -> TellRule:
    """Something from the help centre."""
    page = rng.pick(world.help)
    return TellRule(page.id, rng.pick(page.rows).id)


def compare_hotels(rng: Rng, world: World) -> CompareHotels | None:
    """Two hotels of a city that differ, and whose names do not contain each other."""
    if not world.hotels:
        return None
    one, other = rng.sample(world.hotels_in[rng.pick(world.stay_cities).id], 2)
    measure = rng.pick(tuple(MEASURES))
    alike = one.name.lower() in other.name.lower() or other.name.lower() in one.name.lower()
    return (
        None if alike or getattr(one, measure) == getattr(other, measure) else CompareHotels(one.id, other.id, measure)
    )


def count_stays(rng: Rng, world: World) -> CountStays | None:
    """At least one filter, and something found."""
    if not world.hotels:
        return None
    stars = rng.pick(("", "3", "4", "5"))
    has = tuple(rng.sample(finding.FILTERED, rng.between(0 if stars else 1, 2)))
    goal = CountStays(rng.pick(world.stay_cities).id, stars, has)
    return goal if 0 < goal.count(world) < len(world.hotels_in[goal.city]) else None


def open_hotel(rng: Rng, world: World) -> OpenHotel | None:
    """One that is best without doubt."""
    if not world.hotels:
        return None
    goal = OpenHotel(
        city=rng.pick(world.stay_cities).id,
        sort=rng.pick(("price", "rating", "distance")),
        stars=rng.pick(("", "", "3", "4")),
        has=tuple(rng.sample(finding.FILTERED, rng.below(2))),
    )
    found = finding.find_stays(world, StayQuery(dest=goal.city, stars=goal.stars, has=goal.has, sort=goal.sort))
    if len(found) < 2 or not all(offer.cents for offer in found):
        return None
    match goal.sort:
        case "price":
            tie = found[0].cents == found[1].cents
        case "rating":
            tie = found[0].hotel.score == found[1].hotel.score
        case _:
            tie = found[0].hotel.metres == found[1].hotel.metres
    return None if tie else goal


def show_stays(rng: Rng, world: World, filters: int) -> ShowStays | None:
    """So many filters besides city and order."""
    if not world.hotels:
        return None
    kinds = rng.sample(("stars", "price", *finding.FILTERED), filters)
    return ShowStays(
        city=rng.pick(world.stay_cities).id,
        stars=rng.pick(("3", "4", "5")) if "stars" in kinds else "",
        price=rng.pick(("100", "150", "200", "300")) if "price" in kinds else "",
        has=tuple(key for key in finding.FILTERED if key in kinds),
        sort=rng.pick(("price", "rating", "distance", "stars")),
    )


def show_trips(rng: Rng, world: World, filters: int) -> ShowTrips | None:
    """So many of order and filters besides route and day."""
    if not world.has_trips:
        return None
    origin, to = rng.sample(world.cities, 2)
    kinds = rng.sample(("stops", "time", "operator", "sort"), filters)
    return ShowTrips(
        origin=origin.id,
        to=to.id,
        day=ahead(world.today, rng.between(4, 90)),
        stops=rng.pick(("0", "1")) if "stops" in kinds else "",
        time=rng.pick(("morning", "afternoon", "evening")) if "time" in kinds else "",
        operator=rng.pick(world.operators) if "operator" in kinds else "",
        sort=rng.pick(("price", "duration", "arrival")) if "sort" in kinds else "",
    )


def tell_best_trip(rng: Rng, world: World) -> TellBestTrip | None:
    """One that is best without doubt, and not sold out."""
    if not world.has_trips:
        return None
    origin, to = rng.sample(world.cities, 2)
    by = rng.pick(("price", "duration"))
    goal = TellBestTrip(origin.id, to.id, ahead(world.today, rng.between(4, 90)), by)
    measure = "cents" if by == "price" else "minutes"
    values = sorted(getattr(one, measure) for one in departures(world, origin.id, to.id, goal.day))
    return goal if values[0] < values[1] and goal.best(world).left else None


def keep_places(rng: Rng, world: World, count: int) -> KeepPlaces:
    """Hotels and cities that are not saved yet."""
    saved = start(world).saved
    places = [f"hotel:{hotel.id}" for hotel in rng.sample(world.hotels, 4)]
    places += [f"city:{city.id}" for city in rng.sample(world.cities, 6 if not places else 2)]
    return KeepPlaces(tuple(rng.sample([place for place in places if place not in saved], count)))


def drop_place(rng: Rng, world: World) -> DropPlace:
    """One of the places saved from the start."""
    return DropPlace(rng.pick(start(world).saved))


def set_alert(rng: Rng, world: World) -> SetAlert | None:
    """For a city that has none yet."""
    city = rng.pick(world.stay_cities or world.cities).id
    taken = {alert.city for alert in start(world).alerts}
    alert = SetAlert(city, rng.between(8, 60) * 5, rng.pick(CHANNELS)[0])
    return None if city in taken else alert


def set_settings(rng: Rng, world: World, count: int) -> SetSettings:
    """So many settings, each different from what it was."""
    now = start(world).settings
    options = {
        "phone": words.phone(rng),
        "language": rng.pick(words.LANGUAGES)[0],
        "currency": rng.pick(words.CURRENCIES)[0],
        "home": rng.pick(world.cities).id,
        "newsletter": rng.pick(words.NEWSLETTERS)[0],
        "price_drops": "off" if now.price_drops else "on",
        "reminders": "off" if now.reminders else "on",
        "loyalty": f"{rng.between(10_000_002, 99_999_999)}",
        "meal": rng.pick(words.MEALS[1:])[0],
    }
    changed = [(name, value) for name, value in options.items() if str(getattr(now, name)) != value]
    chosen = rng.sample(changed, count)
    return SetSettings(tuple(pair for pair in options.items() if pair in chosen))


def send_message(rng: Rng, world: World, *, about: bool) -> SendMessage:
    """With or without a booking."""
    ref = rng.pick(start(world).bookings).ref if about else ""
    topic, text = rng.pick(travel_texts().messages)
    return SendMessage(topic, text, ref)


def write_review(rng: Rng, world: World) -> WriteReview | None:
    """With score, title and text."""
    if not world.hotels:
        return None
    return WriteReview(
        rng.pick(world.hotels).id,
        rng.between(2, 10),
        rng.pick(travel_texts().review_titles),
        rng.pick(travel_texts().review_texts),
    )


def end_booking(rng: Rng, world: World) -> EndBooking:
    """Cancel one that stands, or restore the one that does not."""
    booking = rng.pick(start(world).bookings)
    return EndBooking(booking.ref, cancel=not booking.cancelled)


def amend_booking(rng: Rng, world: World, count: int) -> AmendBooking:
    """So many changes of a booking that stands."""
    booking = rng.pick([one for one in start(world).bookings if not one.cancelled])
    stay = isinstance(booking.what, Stay)
    extras = rng.sample(extras_of(booking.what), 2)
    kinds = rng.sample(("email", "phone", "arrival" if stay else "seat", "request", *extras), count)
    return AmendBooking(
        ref=booking.ref,
        email=an_email(rng) if "email" in kinds else "",
        phone=words.phone(rng) if "phone" in kinds else "",
        extras=tuple(key for key in extras if key in kinds),
        arrival=rng.pick(tuple(ARRIVAL_PHRASES)) if "arrival" in kinds else "",
        seat=rng.pick(tuple(SEAT_PHRASES)) if "seat" in kinds else "",
        request=rng.pick(travel_texts().requests) if "request" in kinds else "",
    )


def move_stay(rng: Rng, world: World) -> MoveStay | None:
    """To days on which the room is free."""
    stays = [one for one in start(world).bookings if not one.cancelled and isinstance(one.what, Stay)]
    if not stays:
        return None
    ref = rng.pick(stays).ref
    checkin = ahead(world.today, rng.between(5, 80))
    checkout = ahead(checkin, rng.between(2, 6))
    return MoveStay(ref, checkin, checkout) if can_move(world, ref, checkin, checkout) else None


def some_departure(rng: Rng, world: World, origin: str, to: str, day: str) -> Departure | None:
    """One with seats left, while another one has some too."""
    free = [one for one in departures(world, origin, to, day) if one.left]
    return rng.pick(free) if len(free) > 1 else None

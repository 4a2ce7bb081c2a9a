"""Task templates of travel sites, from a single question to many goals."""

from __future__ import annotations

from collections.abc import Callable

from webgym.rng import Rng
from webgym_hermetic.families.travel import drawing as draw
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.goals.changes import AmendBooking, EndBooking, MoveStay
from webgym_hermetic.families.travel.goals.comparing import CompareHotels
from webgym_hermetic.families.travel.goals.facts import TellCity, TellHotel, TellPrice, TellReview, TellRule
from webgym_hermetic.families.travel.goals.keeping import DropPlace, KeepPlaces
from webgym_hermetic.families.travel.goals.phrases import ARRIVAL_PHRASES, SEAT_PHRASES, travel_texts
from webgym_hermetic.families.travel.goals.stay import BookStay, can_book
from webgym_hermetic.families.travel.goals.trip import BookTrip
from webgym_hermetic.families.travel.goals.writing import WriteReview
from webgym_hermetic.families.travel.state import start
from webgym_hermetic.families.travel.world import World, ahead
from webgym_hermetic.family import Template
from webgym_hermetic.goal import End, Goal

Draw = Callable[[Rng, World], Goal | None]
Goals = tuple[Goal, ...] | None


def book_stay(rng: Rng, world: World, wishes: int) -> BookStay | None:
    """A room, with so many wishes besides."""
    tries = (_some_stay(rng, world, wishes) for _ in range(_TRIES if world.hotels else 0))
    return next((goal for goal in tries if goal), None)


_TRIES = 6


def _some_stay(rng: Rng, world: World, wishes: int) -> BookStay | None:
    hotel = rng.pick(world.hotels)
    room = rng.pick(hotel.rooms)
    checkin, checkout = draw.some_days(rng, world)
    rooms = rng.weighted(((1, 4), (2, 1)))
    extras = rng.sample([key for key, _, _ in words.STAY_EXTRAS], 2)
    kinds = rng.sample(("email", "phone", "arrival", "request", "payment", *extras), wishes)
    goal = BookStay(
        hotel=hotel.id,
        room=room.kind,
        rate=rng.pick(room.rates).id,
        checkin=checkin,
        checkout=checkout,
        guests=rng.between(rooms, min(6, words.ROOM_SLEEPS[room.kind] * rooms)),
        rooms=rooms,
        name=draw.a_name(rng),
        email=draw.an_email(rng) if "email" in kinds else "",
        phone=words.phone(rng) if "phone" in kinds else "",
        extras=tuple(key for key in extras if key in kinds),
        arrival=rng.pick(tuple(ARRIVAL_PHRASES)) if "arrival" in kinds else "",
        request=rng.pick(travel_texts().requests) if "request" in kinds else "",
        payment=rng.pick(words.PAYMENTS)[0] if "payment" in kinds else "",
    )
    fits = can_book(world, goal) and goal.other_hotel(world)
    return goal if fits and goal.other_offer("room", world) and goal.other_offer("rate", world) else None


def book_trip(rng: Rng, world: World, travellers: int, wishes: int, *, back: bool) -> BookTrip | None:
    """A journey, with so many wishes besides."""
    if not world.has_trips:
        return None
    day = ahead(world.today, rng.between(4, 80))
    return _trip_to(
        rng, world, rng.pick(world.cities).id, (day, ahead(day, rng.between(1, 9))), (travellers, wishes, back)
    )


def _trip_to(rng: Rng, world: World, to: str, days: tuple[str, str], wanted: tuple[int, int, bool]) -> BookTrip | None:
    """A journey to a city: there on the first day and, if wanted, back on the second."""
    travellers, wishes, back = wanted
    origin = rng.pick([city.id for city in world.cities if city.id != to])
    out = draw.some_departure(rng, world, origin, to, days[0])
    home = draw.some_departure(rng, world, to, origin, days[1])
    if out is None or home is None:
        return None
    extras = rng.sample([key for key, _, _ in words.TRIP_EXTRAS], 2)
    kinds = rng.sample(("seat", "bags", "email", "phone", "payment", *extras), wishes)
    return BookTrip(
        out=out.id,
        back=home.id if back else "",
        fare=rng.pick(world.fares).id,
        names=tuple(draw.a_name(rng) for _ in range(travellers)),
        email=draw.an_email(rng) if "email" in kinds else "",
        phone=words.phone(rng) if "phone" in kinds else "",
        extras=tuple(key for key in extras if key in kinds),
        seat=rng.pick(tuple(SEAT_PHRASES)) if "seat" in kinds else "",
        bags=rng.between(1, 3) if "bags" in kinds else 0,
        payment=rng.pick(words.PAYMENTS)[0] if "payment" in kinds else "",
    )


def book_something(rng: Rng, world: World) -> Goal | None:
    """A short booking of what the site sells."""
    if world.has_stays and (not world.has_trips or rng.chance(0.5)):
        return book_stay(rng, world, rng.below(2))
    return book_trip(rng, world, 1, rng.between(1, 3), back=rng.chance(0.3))


def ask_something(rng: Rng, world: World) -> Goal | None:
    """A question that has one answer."""
    return rng.pick((draw.tell_hotel, draw.tell_city, draw.tell_city, draw.tell_rule, draw.tell_price))(rng, world)


def show_something(rng: Rng, world: World, filters: int) -> Goal | None:
    """Results of a search, refined."""
    if world.has_stays and (not world.has_trips or rng.chance(0.5)):
        return draw.show_stays(rng, world, filters - 1)
    return draw.show_trips(rng, world, filters - 1)


def together(rng: Rng, world: World, *drawn: Goal | None) -> Goals:
    """These goals as one task, unless one is missing or they get in each other's way."""
    del rng
    goals = tuple(goal for goal in drawn if goal is not None)
    if len(goals) < len(drawn) or not _apart(goals, world) or not _distinct_answers(goals, world):
        return None
    return goals


def _apart(goals: tuple[Goal, ...], world: World) -> bool:
    """Whether no two of them are about the same page or the same thing, even if one of them is done wrongly."""
    for index, goal in enumerate(goals):
        others = {spot for at, other in enumerate(goals) if at != index for spot in _spots(other)}
        variations = [goal, *(goal.spoil(fact.name, world) for fact in goal.facts(world))]
        if others and any(not others.isdisjoint(_spots(variation)) for variation in variations):
            return False
    return True


def _spots(goal: Goal) -> tuple[str, ...]:
    """Pages and things that a goal is about."""
    match goal:
        case TellHotel(hotel=hotel) | TellPrice(hotel=hotel) | TellReview(hotel=hotel) | WriteReview(hotel=hotel):
            spots = (f"hotel:{hotel}",)
        case BookStay(hotel=hotel):
            spots = (f"hotel:{hotel}", "stay")
        case CompareHotels(one=one, other=other):
            spots = (f"hotel:{one}", f"hotel:{other}")
        case TellCity(city=city):
            spots = (f"city:{city}",)
        case TellRule(page=page):
            spots = (f"help:{page}",)
        case KeepPlaces(places=places):
            spots = places
        case DropPlace(place=place):
            spots = (place,)
        case EndBooking(ref=ref) | AmendBooking(ref=ref) | MoveStay(ref=ref):
            spots = (f"booking:{ref}",)
        case _:
            spots = (type(goal).__name__,)
    return spots


def _distinct_answers(goals: tuple[Goal, ...], world: World) -> bool:
    """Whether each answer is right among all of them, and none of the others would do in its place."""
    said = [goal.answer(world) for goal in goals]
    if not any(said):
        return True
    nothing = start(world)
    whole = End(world, nothing, (), " ".join(part for part in said if part))
    for index, goal in enumerate(goals):
        if not said[index]:
            continue
        rest = End(world, nothing, (), " ".join(part for at, part in enumerate(said) if part and at != index))
        for fact in goal.facts(world):
            if not goal.holds(fact.name, whole) or goal.holds(fact.name, rest):
                return False
    return True


def _one(make: Draw) -> Callable[[Rng, World], Goals]:
    return lambda rng, world: together(rng, world, make(rng, world))


def _review_and_keep(rng: Rng, world: World) -> Goals:
    if not world.has_stays:
        return together(rng, world, draw.keep_places(rng, world, 3), draw.tell_city(rng, world))
    return together(rng, world, draw.write_review(rng, world))


def _book_short(rng: Rng, world: World) -> Goals:
    if world.has_stays and (not world.has_trips or rng.chance(0.5)):
        return together(rng, world, book_stay(rng, world, 0))
    back = rng.chance(0.4)
    wishes = rng.between(0 if back else 1, 2)
    return together(rng, world, book_trip(rng, world, 1, wishes, back=back))


def _book_full(rng: Rng, world: World) -> Goals:
    if world.has_stays and (not world.has_trips or rng.chance(0.5)):
        return together(rng, world, book_stay(rng, world, rng.between(2, 5)))
    return together(rng, world, book_trip(rng, world, rng.between(2, 3), rng.between(3, 5), back=True))


def _journey_and_stay(rng: Rng, world: World) -> Goals:
    """A journey to a city and a room there on the day of arrival, or two bookings' worth of goals elsewhere."""
    if world.focus != "both":
        return together(rng, world, book_something(rng, world), draw.amend_booking(rng, world, rng.between(3, 4)))
    stay = book_stay(rng, world, 0)
    if stay is None:
        return None
    wanted = (1, rng.between(0, 2), rng.chance(0.4))
    trip = _trip_to(rng, world, world.hotel[stay.hotel].city, (stay.checkin, stay.checkout), wanted)
    return together(rng, world, trip, stay)


def _book_and_tidy(rng: Rng, world: World) -> Goals:
    tidy = rng.pick((draw.end_booking, draw.drop_place))(rng, world)
    return together(rng, world, book_something(rng, world), tidy, draw.set_settings(rng, world, rng.between(1, 2)))


def _paperwork(rng: Rng, world: World) -> Goals:
    return together(
        rng,
        world,
        draw.set_settings(rng, world, rng.between(2, 3)),
        draw.send_message(rng, world, about=rng.chance(0.6)),
        draw.set_alert(rng, world),
        draw.end_booking(rng, world) if rng.chance(0.5) else draw.amend_booking(rng, world, 2),
    )


def _research(rng: Rng, world: World) -> Goals:
    question = draw.compare_hotels(rng, world) if world.has_stays else draw.tell_best_trip(rng, world)
    return together(
        rng,
        world,
        question,
        draw.tell_rule(rng, world),
        draw.keep_places(rng, world, rng.between(2, 3)),
        draw.set_alert(rng, world) if rng.chance(0.6) else draw.amend_booking(rng, world, 3),
    )


def _ask_and_change(rng: Rng, world: World) -> Goals:
    second = draw.tell_rule(rng, world)
    return together(rng, world, ask_something(rng, world), second, draw.amend_booking(rng, world, rng.between(2, 3)))


def _ask_and_keep(rng: Rng, world: World) -> Goals:
    places = draw.keep_places(rng, world, rng.between(2, 3))
    return together(rng, world, ask_something(rng, world), places, draw.set_settings(rng, world, 1))


def _ask_rules(rng: Rng, world: World) -> Goals:
    return together(rng, world, *(draw.tell_rule(rng, world) for _ in range(rng.between(1, 2))))


def _ask_and_end(rng: Rng, world: World) -> Goals:
    return together(rng, world, draw.end_booking(rng, world), draw.tell_city(rng, world))


def _alert_and_message(rng: Rng, world: World) -> Goals:
    return together(rng, world, draw.set_alert(rng, world), draw.send_message(rng, world, about=rng.chance(0.5)))


TEMPLATES = (
    Template("ask_hotel", range(1, 2), _one(draw.tell_hotel)),
    Template("ask_city", range(1, 2), _one(draw.tell_city)),
    Template("ask_rule", range(1, 3), _ask_rules),
    Template("ask_price", range(1, 2), _one(draw.tell_price)),
    Template("ask_review", range(1, 2), _one(draw.tell_review)),
    Template("ask_best_trip", range(2, 3), _one(draw.tell_best_trip)),
    Template("compare", range(1, 2), _one(draw.compare_hotels)),
    Template("count", range(1, 2), _one(draw.count_stays)),
    Template("open_best", range(1, 2), _one(draw.open_hotel)),
    Template("keep", range(1, 3), _one(lambda rng, world: draw.keep_places(rng, world, rng.between(1, 2)))),
    Template(
        "drop",
        range(2, 3),
        lambda rng, world: together(rng, world, draw.drop_place(rng, world), draw.tell_city(rng, world)),
    ),
    Template("end_booking", range(2, 3), _ask_and_end),
    Template("move_stay", range(2, 3), _one(draw.move_stay)),
    Template("amend", range(1, 4), _one(lambda rng, world: draw.amend_booking(rng, world, rng.between(1, 3)))),
    Template("alert", range(3, 4), _one(draw.set_alert)),
    Template("settings", range(1, 4), _one(lambda rng, world: draw.set_settings(rng, world, rng.between(1, 3)))),
    Template("message", range(2, 4), _one(lambda rng, world: draw.send_message(rng, world, about=rng.chance(0.5)))),
    Template("show", range(2, 4), _one(lambda rng, world: show_something(rng, world, rng.between(1, 2)))),
    Template("show_refined", range(4, 7), _one(lambda rng, world: show_something(rng, world, rng.between(3, 5)))),
    Template("settings_many", range(4, 7), _one(lambda rng, world: draw.set_settings(rng, world, rng.between(4, 6)))),
    Template("amend_more", range(4, 6), _one(lambda rng, world: draw.amend_booking(rng, world, rng.between(4, 5)))),
    Template("review_or_keep", range(4, 5), _review_and_keep),
    Template("book_short", range(3, 7), _book_short),
    Template("alert_and_message", range(5, 7), _alert_and_message),
    Template("ask_and_change", range(4, 6), _ask_and_change),
    Template("ask_and_keep", range(4, 6), _ask_and_keep),
    Template("book_full", range(8, 13), _book_full),
    Template("journey_and_stay", range(7, 13), _journey_and_stay),
    Template("book_and_tidy", range(6, 11), _book_and_tidy),
    Template("paperwork", range(8, 12), _paperwork),
    Template("research", range(7, 10), _research),
)

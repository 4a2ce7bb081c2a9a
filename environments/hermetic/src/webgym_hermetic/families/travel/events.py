"""Events of a travel site, and how each changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from msgspec.structs import replace

from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.state import (
    MOST_BAGS,
    Alert,
    Booking,
    Details,
    Draft,
    Message,
    Review,
    State,
    Stay,
    Trip,
    fits,
    reference,
)
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.family import Event

_DETAILS = frozenset(Details.__struct_fields__)


def apply_chose(world: World, state: State, event: Event) -> State:
    """A room or a departure was chosen: a booking is under way."""
    args = cast("dict[str, Any]", dict(event.args))
    kind = args.pop("kind")
    what = Stay(**args) if kind == "stay" else Trip(**args)
    if why := fits(world, what):
        raise ValueError(why)
    count = what.travellers if isinstance(what, Trip) else 1
    details = Details(names=("",) * count, email=world.account.email, phone=state.settings.phone)
    return replace(state, draft=Draft(what=what, details=details))


def apply_filled(world: World, state: State, event: Event) -> State:
    """Parts of the booking form were filled in."""
    if state.draft is None:
        raise ValueError("no booking is under way")
    return replace(state, draft=replace(state.draft, details=_detailed(world, state.draft.details, event.args)))


def apply_booked(world: World, state: State, event: Event) -> State:
    """The booking under way was confirmed."""
    del event
    if state.draft is None or not all(state.draft.details.names):
        raise ValueError("no booking is ready to be confirmed")
    ref = reference(world, len(state.bookings))
    booking = Booking(ref=ref, what=state.draft.what, details=state.draft.details)
    return replace(state, bookings=(*state.bookings, booking), draft=None)


def apply_amended(world: World, state: State, event: Event) -> State:
    """Contact or extras of a booking were changed."""
    args = dict(event.args)
    booking = state.booking(str(args.pop("ref")))
    return _with_booking(state, replace(booking, details=_detailed(world, booking.details, args)))


def apply_moved(world: World, state: State, event: Event) -> State:
    """The dates of a stay were changed."""
    booking = state.booking(str(event.args["ref"]))
    if not isinstance(booking.what, Stay):
        raise ValueError("only stays can be moved")  # noqa: TRY004  not a mistake in the code
    what = replace(booking.what, checkin=str(event.args["checkin"]), checkout=str(event.args["checkout"]))
    if why := fits(world, what):
        raise ValueError(why)
    return _with_booking(state, replace(booking, what=what))


def apply_cancelled(world: World, state: State, event: Event) -> State:
    """A booking was cancelled."""
    del world
    return _with_booking(state, replace(state.booking(str(event.args["ref"])), cancelled=True))


def apply_restored(world: World, state: State, event: Event) -> State:
    """A cancelled booking was taken up again."""
    del world
    return _with_booking(state, replace(state.booking(str(event.args["ref"])), cancelled=False))


def apply_kept(world: World, state: State, event: Event) -> State:
    """A place was saved."""
    place = str(event.args["place"])
    _check_place(world, place)
    return state if place in state.saved else replace(state, saved=(*state.saved, place))


def apply_dropped(world: World, state: State, event: Event) -> State:
    """A saved place was removed."""
    del world
    place = str(event.args["place"])
    return replace(state, saved=tuple(one for one in state.saved if one != place))


def apply_set(world: World, state: State, event: Event) -> State:
    """Settings were changed."""
    for name, value in event.args.items():
        old: object = getattr(state.settings, name, None)
        if old is None or type(old) is not type(value):
            raise ValueError(f"there is no such setting: {name}={value!r}")
    if "home" in event.args and event.args["home"] not in world.city:
        raise KeyError(event.args["home"])
    return replace(state, settings=replace(state.settings, **event.args))


def apply_alerted(world: World, state: State, event: Event) -> State:
    """A price alert was set. There is one for each city: the newer one counts."""
    city, dollars, channel = str(event.args["city"]), event.args["dollars"], str(event.args["channel"])
    if (
        city not in world.city
        or not isinstance(dollars, int)
        or not 1 <= dollars <= 9999
        or channel not in CHANNEL_NAMES
    ):
        raise ValueError("an alert needs a city, a price and a channel")
    number = max((alert.id for alert in state.alerts), default=0) + 1
    others = tuple(alert for alert in state.alerts if alert.city != city)
    return replace(state, alerts=(*others, Alert(id=number, city=city, dollars=dollars, channel=channel)))


def apply_unalerted(world: World, state: State, event: Event) -> State:
    """A price alert was removed."""
    del world
    return replace(state, alerts=tuple(alert for alert in state.alerts if alert.id != event.args["id"]))


def apply_wrote(world: World, state: State, event: Event) -> State:
    """The contact form was sent."""
    del world
    topic, ref, text = (str(event.args[name]) for name in ("topic", "ref", "text"))
    if topic not in {key for key, _ in words.TOPICS} or not text:
        raise ValueError("a message needs a topic and a text")
    return replace(state, messages=(*state.messages, Message(topic=topic, ref=ref, text=text)))


def apply_reviewed(world: World, state: State, event: Event) -> State:
    """A review was written. There is one for each hotel: the newer one counts."""
    hotel, score = str(event.args["hotel"]), event.args["score"]
    if hotel not in world.hotel or not isinstance(score, int) or not 1 <= score <= 10:
        raise ValueError("a review needs a hotel and a score from 1 to 10")
    review = Review(hotel=hotel, score=score, title=str(event.args["title"]), text=str(event.args["text"]))
    others = tuple(one for one in state.reviews if one.hotel != hotel)
    return replace(state, reviews=(*others, review))


CHANNELS = (("email", "E-mail"), ("text", "Text message"), ("app", "App notification"))
CHANNEL_NAMES = dict(CHANNELS)

EVENTS: Mapping[str, Callable[[World, State, Event], State]] = {
    "chose": apply_chose,
    "filled": apply_filled,
    "booked": apply_booked,
    "amended": apply_amended,
    "moved": apply_moved,
    "cancelled": apply_cancelled,
    "restored": apply_restored,
    "kept": apply_kept,
    "dropped": apply_dropped,
    "set": apply_set,
    "alerted": apply_alerted,
    "unalerted": apply_unalerted,
    "wrote": apply_wrote,
    "reviewed": apply_reviewed,
}


def _detailed(world: World, details: Details, args: Mapping[str, Any]) -> Details:
    del world
    if unknown := [name for name in args if name not in _DETAILS]:
        raise ValueError(f"a booking has no {', '.join(unknown)}")
    lists = {name: tuple(str(one) for one in args[name]) for name in ("names", "extras") if name in args}
    new: Details = replace(details, **{**args, **lists})
    if len(new.names) != len(details.names) or not 0 <= new.bags <= MOST_BAGS:
        raise ValueError("the number of names or bags does not fit")
    return new


def _with_booking(state: State, booking: Booking) -> State:
    return replace(state, bookings=tuple(booking if one.ref == booking.ref else one for one in state.bookings))


def _check_place(world: World, place: str) -> None:
    kind, _, key = place.partition(":")
    if key not in (world.hotel if kind == "hotel" else world.city if kind == "city" else ()):
        raise KeyError(place)

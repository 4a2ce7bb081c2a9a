"""Travel sites: worlds, events, pages, and goals as facts."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.travel import FAMILY
from webgym_hermetic.families.travel.building import build
from webgym_hermetic.families.travel.departures import departure, departures
from webgym_hermetic.families.travel.finding import find_stays, find_trips, read_stay, read_trip
from webgym_hermetic.families.travel.goals.saying import says
from webgym_hermetic.families.travel.state import Stay, Trip, start
from webgym_hermetic.families.travel.world import World, ahead
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.site import Site
from webgym_hermetic.worlds import world_of

SITES = [site("travel", number) for number in range(10)]
WITH_STAYS = next(one for one in SITES if world_of(one).has_stays)
WITH_TRIPS = next(one for one in SITES if world_of(one).has_trips)


def visit(where: Site, url: str, state=None, form=None) -> Visit:
    world = world_of(where)
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Visit(where, world, state or start(world), parts.path, query, form or {})


def get(where: Site, url: str, state=None) -> Reply:
    return FAMILY.respond("GET", visit(where, url, state))


def html(where: Site, url: str, state=None) -> str:
    asked = visit(where, url, state)
    reply = FAMILY.respond("GET", asked)
    assert isinstance(reply, Page), (url, reply)
    return render.page(asked, reply, notice="", shift=False).decode()


def chosen(world: World) -> Event:
    """A free room for two nights."""
    checkin, checkout = ahead(world.today, 10), ahead(world.today, 12)
    for hotel in world.hotels:
        for room in hotel.rooms:
            if not room.full_from:
                args = {"hotel": hotel.id, "room": room.kind, "rate": room.rates[0].id, "guests": 1, "rooms": 1}
                return Event("chose", {"kind": "stay", **args, "checkin": checkin, "checkout": checkout})
    raise AssertionError


def test_a_world_comes_from_the_seed_alone():
    for one in SITES[:3]:
        assert msgspec.json.encode(build(one)) == msgspec.json.encode(build(one))
    assert world_of(SITES[0]).hotels != world_of(SITES[1]).hotels


def test_a_city_has_hotels_that_are_easily_mistaken_for_each_other():
    world = world_of(WITH_STAYS)
    for hotels in world.hotels_in.values():
        assert len({hotel.name for hotel in hotels}) == len(hotels) >= 7
        chains = [hotel.chain for hotel in hotels if hotel.chain]
        assert len(chains) == 2
        assert len(set(chains)) == 1


def test_departures_are_the_same_whenever_one_asks():
    world = world_of(WITH_TRIPS)
    origin, to = world.cities[0].id, world.cities[1].id
    day = ahead(world.today, 9)
    found = departures(world, origin, to, day)
    assert len(found) >= 8
    assert departure(world, found[3].id) == found[3]
    assert departures(world, origin, to, world.today) == ()
    with pytest.raises(KeyError):
        departure(world, "xxx-yyy-20260101-1")


def test_searches_say_what_is_wrong_with_them():
    world = world_of(WITH_STAYS)
    city = world.stay_cities[0].id
    first, second = ahead(world.today, 5), ahead(world.today, 8)
    assert read_stay(world, {"dest": city, "checkin": second, "checkout": first})[1].keys() == {"checkout"}
    assert read_stay(world, {"dest": "Nowhere"})[1].keys() == {"dest"}
    assert read_stay(world, {"dest": city, "guests": "99"})[1].keys() == {"guests"}
    assert not read_stay(world, {"dest": city, "checkin": first, "checkout": second})[1]
    trips = world_of(WITH_TRIPS)
    origin = trips.cities[0].id
    assert "to" in read_trip(trips, {"origin": origin, "to": origin, "depart": first})[1]
    assert "back" in read_trip(trips, {"origin": origin, "to": trips.cities[1].id, "way": "return"})[1]


def test_results_are_filtered_and_sorted():
    world = world_of(WITH_STAYS)
    query, _ = read_stay(world, {"dest": world.stay_cities[0].id, "stars": "3", "sort": "price"})
    found = find_stays(world, query)
    assert all(offer.hotel.stars >= 3 for offer in found)
    assert [offer.cents for offer in found] == sorted(offer.cents for offer in found)
    trips = world_of(WITH_TRIPS)
    raw = {"origin": trips.cities[0].id, "to": trips.cities[1].id, "depart": ahead(trips.today, 5), "stops": "0"}
    assert all(not one.stops for one in find_trips(trips, read_trip(trips, raw)[0]))


def test_a_stay_is_booked_cancelled_and_restored():
    world = world_of(WITH_STAYS)
    state = FAMILY.apply(world, start(world), chosen(world))
    with pytest.raises(SiteStateError):
        FAMILY.apply(world, state, Event("booked"))
    state = FAMILY.apply(world, state, Event("filled", {"names": ["Ada Byron"], "extras": ["parking"]}))
    state = FAMILY.apply(world, state, Event("booked"))
    booking = state.bookings[-1]
    assert isinstance(booking.what, Stay)
    assert booking.new
    assert booking.details.names == ("Ada Byron",)
    cancelled = FAMILY.apply(world, state, Event("cancelled", {"ref": booking.ref}))
    assert cancelled.booking(booking.ref).cancelled
    restored = FAMILY.apply(world, cancelled, Event("restored", {"ref": booking.ref}))
    assert not restored.booking(booking.ref).cancelled


@pytest.mark.parametrize(
    "event",
    [
        Event("booked"),
        Event("cancelled", {"ref": "NOPE00"}),
        Event("kept", {"place": "hotel:nowhere"}),
        Event("set", {"language": True}),
        Event("set", {"colour": "red"}),
        Event("alerted", {"city": "nowhere", "dollars": 5, "channel": "email"}),
        Event("chose", {"kind": "stay", "hotel": "nowhere"}),
        Event("vanished"),
    ],
)
def test_an_event_that_does_not_fit_is_refused(event: Event):
    world = world_of(WITH_STAYS)
    with pytest.raises(SiteStateError):
        FAMILY.apply(world, start(world), event)


@pytest.mark.parametrize("where", SITES[:8], ids=lambda one: f"{one.number}-{one.structure}")
def test_every_page_of_every_structure_can_be_shown_and_is_the_same_each_time(where: Site):
    world = world_of(where)
    state = start(world)
    urls = ["/", "/guides", f"/guide/{world.cities[0].id}", "/saved", "/bookings", "/help", "/contact", "/account"]
    urls += ["/alerts", "/search?q=hotel", f"/help/{world.help[0].id}", f"/booking/{state.bookings[0].ref}"]
    if world.has_stays:
        hotel = world.hotels[0]
        urls += [f"/stays?dest={hotel.city}", "/stays?dest=", f"/hotel/{hotel.id}", f"/hotel/{hotel.id}/reviews"]
        draft = FAMILY.apply(world, state, chosen(world))
        step = "/book/guests" if where.structure in ("timetable", "concierge") else "/book"
        assert "submit:book" in html(where, step, draft)
    if world.has_trips:
        origin, to = world.cities[0].id, world.cities[1].id
        urls += [f"/trips?origin={origin}&to={to}&depart={ahead(world.today, 4)}", "/trips"]
        urls += [f"/trip/{departures(world, origin, to, ahead(world.today, 4))[0].id}"]
    for url in urls:
        assert html(where, url) == html(where, url)


def test_what_is_not_there_is_missing():
    for url in ("/hotel/nowhere", "/guide/nowhere", "/booking/NOPE00", "/help/nothing", "/trip/x", "/account/nothing"):
        assert isinstance(get(WITH_STAYS, url), Missing)


def test_a_form_with_mistakes_comes_back_with_what_was_typed():
    asked = visit(WITH_STAYS, "/contact", form={"topic": "refund", "ref": "NOPE00", "text": "short"})
    reply = FAMILY.respond("POST", asked)
    assert isinstance(reply, Page)
    assert reply.context["errors"].keys() == {"ref", "text"}
    assert reply.context["form"]["ref"] == "NOPE00"


def test_a_room_that_is_too_small_is_not_reserved():
    world = world_of(WITH_STAYS)
    args = {name: str(value) for name, value in chosen(world).args.items()}
    hotel = args["hotel"]
    good = FAMILY.respond("POST", visit(WITH_STAYS, f"/hotel/{hotel}", form=args))
    assert isinstance(good, Go)
    assert good.events
    bad = FAMILY.respond("POST", visit(WITH_STAYS, f"/hotel/{hotel}", form={**args, "guests": "8"}))
    assert isinstance(bad, Page)
    assert "sleeps" in bad.context["problem"]


def test_a_journey_with_return_leads_to_the_return():
    world = world_of(WITH_TRIPS)
    origin, to = world.cities[0].id, world.cities[1].id
    day, later = ahead(world.today, 5), ahead(world.today, 8)
    out = next(one for one in departures(world, origin, to, day) if one.left)
    back = next(one for one in departures(world, to, origin, later) if one.left)
    form = {"fare": world.fares[1].id, "way": "return", "back": later, "travellers": "2"}
    first = FAMILY.respond("POST", visit(WITH_TRIPS, f"/trip/{out.id}", form=form))
    assert isinstance(first, Go)
    assert f"out={out.id}" in first.to
    second = FAMILY.respond("POST", visit(WITH_TRIPS, f"/trip/{back.id}", form={**form, "out": out.id}))
    assert isinstance(second, Go)
    state = FAMILY.apply(world, start(world), second.events[0])
    assert state.draft is not None
    assert state.draft.what == Trip(out=out.id, back=back.id, fare=world.fares[1].id, travellers=2)


def test_every_template_draws_tasks_of_the_size_it_promises():
    for template in FAMILY.templates:
        drawn = 0
        for one in SITES:
            world = world_of(one)
            for number in range(4):
                goals = template.make(Rng("test", one.number, template.name, number), world)
                if goals is None:
                    continue
                drawn += 1
                facts = [fact for goal in goals for fact in goal.facts(world)]
                assert len(facts) in template.facts
                for goal in goals:
                    clauses = goal.clauses(world)
                    assert len(set(clauses)) >= 4
                    assert all(clause[0].islower() and not clause.endswith(".") for clause in clauses)
                    names = [fact.name for fact in goal.facts(world)]
                    assert len(set(names)) == len(names)
                    assert all(goal.spoil(name, world) != goal for name in names)
        assert drawn >= 10, template.name


def test_nothing_is_done_before_anyone_did_anything():
    for one in SITES[:4]:
        world = world_of(one)
        nothing = End(world, start(world), (), "")
        for template in FAMILY.templates:
            goals = template.make(Rng("nothing", one.number, template.name), world) or ()
            for goal in goals:
                assert not any(goal.holds(fact.name, nothing) for fact in goal.facts(world))


def test_an_answer_names_the_value_and_none_of_its_rivals():
    assert says("Check-in is from 15:30.", "15:30", ("14:00",))
    assert says("You can check in at 3:30 pm", "15:30", ("14:00",))
    assert not says("15:30 or 14:00", "15:30", ("14:00",))
    assert says("It leaves at 09:40 on May 12, 2026 and costs $51", "51", ("40", "12", "9"))
    assert not says("$51, or $49 later", "51", ("49",))
    assert says("Call +44 555-123 4567", "+44 555 123 4567", ("+44 555 123 9999",))
    assert says("the code is AGI", "AGI", ("AGA",))

"""Comparing: hotels with each other, departures of a day, and counting what a search finds."""

from __future__ import annotations

from urllib.parse import parse_qsl

from msgspec.structs import replace

from webgym_hermetic.answers import says_text
from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.departures import Departure, departures
from webgym_hermetic.families.travel.describing import dollars, written
from webgym_hermetic.families.travel.finding import StayQuery
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.goals.saying import says
from webgym_hermetic.families.travel.goals.searching import (
    StayWish,
    TripWish,
    find_trip,
    refine_stays,
    search_stays,
    search_trips,
)
from webgym_hermetic.families.travel.world import Hotel, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

MEASURES = {
    "score": "has the better guest rating",
    "metres": "is closer to the centre",
    "breakfast": "charges less for breakfast",
    "parking": "charges less for parking",
    "opened": "was opened earlier",
    "deposit": "asks for the lower deposit",
}


class CompareHotels(Goal, frozen=True):
    """Which of two hotels is better in some respect."""

    one: str
    other: str
    measure: str
    claim: str = ""

    def _winner(self, world: World) -> tuple[Hotel, Hotel]:
        pair = (world.hotel[self.one], world.hotel[self.other])
        if self.measure == "score":
            return (pair[0], pair[1]) if pair[0].score > pair[1].score else (pair[1], pair[0])
        return (
            (pair[0], pair[1])
            if getattr(pair[0], self.measure) < getattr(pair[1], self.measure)
            else (pair[1], pair[0])
        )

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        better, worse = self._winner(world)
        return (Fact("said", f"The answer says that {better.name} {MEASURES[self.measure]} than {worse.name}."),)

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer names the better one and not the other."""
        del fact
        better, worse = self._winner(end.world)
        return says_text(end.answer, better.name, rivals=(worse.name,))

    def next(self, view: View) -> Intent | None:
        """Look at both pages."""
        key = {"score": "", "metres": "fact:distance"}.get(self.measure, f"fact:{self.measure}")
        for hotel in (self.one, self.other):
            if view.path == f"/hotel/{hotel}" and key and (step := ways.look(view, key)):
                return step
            if not view.visited(f"/hotel/{hotel}"):
                return ways.to_hotel(view, hotel)
        return None

    def answer(self, world: World) -> str:
        """A short sentence."""
        return f"{self.claim or self._winner(world)[0].name} {MEASURES[self.measure]}."

    def spoil(self, fact: str, world: World) -> CompareHotels:
        """The answer names the other one."""
        del fact
        return replace(self, claim=self._winner(world)[1].name)

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        one, other = world.hotel[self.one], world.hotel[self.other]
        names = (f"{hotel.name} in {world.city[hotel.city].name}" for hotel in (one, other))
        pair, measure = " or ".join(names), MEASURES[self.measure]
        return (
            f"tell me which hotel {measure}: {pair}",
            f"compare two hotels and name only the one that {measure}: {pair}",
            f"find out which of these {measure}, {pair}, and answer with its name",
            f"look at {pair} and tell me the one hotel that {measure}",
        )


class TellBestTrip(Goal, frozen=True):
    """The cheapest, shortest or earliest direct departure of a day, with its time and its price."""

    origin: str
    to: str
    day: str
    by: str
    claim_time: str = ""
    claim_price: str = ""

    def best(self, world: World) -> Departure:
        """The departure that is asked for."""
        query = finding.TripQuery(origin=self.origin, to=self.to, depart=self.day, sort=self.by)
        return finding.find_trips(world, query)[0]

    def _phrase(self, world: World) -> str:
        adjective = {"price": "cheapest", "duration": "fastest"}[self.by]
        route = f"from {world.city[self.origin].name} to {world.city[self.to].name}"
        return f"the {adjective} {world.mode.one} {route} on {written(self.day)}"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Time and price that the answer gives."""
        best, phrase = self.best(world), self._phrase(world)
        return (
            Fact("time", f"The answer says that {phrase} leaves at {best.leaves}."),
            Fact("price", f"The answer says that {phrase} costs {dollars(best.cents)} in {world.fares[0].name}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has it, and not another departure's."""
        world: World = end.world
        best = self.best(world)
        others = [one for one in departures(world, self.origin, self.to, self.day) if one.id != best.id]
        if fact == "time":
            return says(end.answer, best.leaves, tuple(one.leaves for one in others))
        return says(end.answer, str(best.cents // 100), tuple(str(one.cents // 100) for one in others))

    def next(self, view: View) -> Intent | None:
        """Search, sort, open the first one."""
        best = self.best(view.world)
        path = f"/trip/{best.id}"
        if view.path == path:
            return ways.look(view, "fact:leaves")
        if view.visited(path):
            return None
        wish = TripWish(self.origin, self.to, self.day, fare=view.world.fares[0].id)
        return search_trips(view, wish) or find_trip(view, best.id)

    def answer(self, world: World) -> str:
        """A short sentence."""
        best = self.best(world)
        return f"It leaves at {self.claim_time or best.leaves} and costs ${self.claim_price or best.cents // 100}."

    def spoil(self, fact: str, world: World) -> TellBestTrip:
        """The answer has another departure's time or price."""
        best = self.best(world)
        others = [one for one in departures(world, self.origin, self.to, self.day) if one.cents != best.cents]
        if fact == "time":
            return replace(self, claim_time=others[0].leaves)
        return replace(self, claim_price=str(others[0].cents // 100))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        phrase, fare = self._phrase(world), world.fares[0].name
        return (
            f"tell me when {phrase} leaves and what it costs in {fare}",
            f"find {phrase} and give me its departure time and its {fare} price",
            f"look up the departure time and the {fare} fare of {phrase}",
            f"search for {phrase}; report at what time it departs and the price in {fare}",
        )


class CountStays(Goal, frozen=True):
    """How many hotels of a city meet some conditions."""

    city: str
    stars: str = ""
    has: tuple[str, ...] = ()
    claim: str = ""

    def _query(self) -> StayQuery:
        return StayQuery(dest=self.city, stars=self.stars, has=self.has)

    def count(self, world: World) -> int:
        """How many there are."""
        return len(finding.find_stays(world, self._query()))

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        return (Fact("said", f"The answer says that there are {self.count(world)} {self._phrase(world)}."),)

    def _phrase(self, world: World) -> str:
        stars = f" with {dict(finding.STARS)[self.stars].lower()}" if self.stars else ""
        amenities = "".join(f" and {words.AMENITY_NAMES[key].lower()}" for key in self.has)
        if not stars:
            amenities = amenities.replace(" and ", " with ", 1)
        return f"hotels in {world.city[self.city].name}{stars}{amenities}"

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has the number and neither one more nor one less, nor how many there are in all."""
        del fact
        world: World = end.world
        count = self.count(world)
        near = (count - 1, count + 1, len(world.hotels_in[self.city]))
        return says(end.answer, str(count), tuple(str(number) for number in near))

    def next(self, view: View) -> Intent | None:
        """Search the city and filter."""
        seen = any(self._shows(view, visit) for visit in view.visits)
        if seen:
            return None
        return search_stays(view, StayWish(self.city)) or self._refine(view)

    def _refine(self, view: View) -> Intent | None:
        shown, _ = finding.read_stay(view.world, view.query)
        too_many = shown.price or not set(shown.has) <= set(self.has) or (shown.stars and not self.stars)
        clear = view.tap("do:clear") if too_many else None
        return clear or refine_stays(view, self._query())

    def _shows(self, view: View, visit: str) -> bool:
        path, _, query = visit.partition("?")
        if path != "/stays":
            return False
        shown, errors = finding.read_stay(view.world, dict(parse_qsl(query)))
        same = (shown.dest, shown.stars, shown.price) == (self.city, self.stars, "")
        return not errors and same and set(self.has) == set(shown.has)

    def answer(self, world: World) -> str:
        """A short sentence."""
        return f"There are {self.claim or self.count(world)} such hotels."

    def spoil(self, fact: str, world: World) -> CountStays:
        """The answer is one off."""
        del fact
        return replace(self, claim=str(self.count(world) + 1))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        phrase = self._phrase(world)
        return (
            f"tell me how many {phrase} are on offer",
            f"count the {phrase} and give me the number",
            f"use the filters to find out how many {phrase} there are",
            f"find out the number of {phrase}",
        )

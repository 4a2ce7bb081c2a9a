"""Ending up on the right page: results filtered and sorted, or the one hotel that fits."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from msgspec.structs import replace

from webgym_hermetic.families.travel import finding, words
from webgym_hermetic.families.travel.describing import written
from webgym_hermetic.families.travel.finding import StayQuery, TripQuery
from webgym_hermetic.families.travel.goals.phrases import and_join
from webgym_hermetic.families.travel.goals.searching import (
    StayWish,
    TripWish,
    find_hotel,
    refine_stays,
    refine_trips,
    search_stays,
    search_trips,
)
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

_SORT_PHRASES = {
    "price": "sorted by price, lowest first",
    "rating": "sorted by guest rating",
    "distance": "sorted by distance to the centre",
    "stars": "sorted by stars, most first",
}
_TRIP_SORTS = {
    "price": "sorted by lowest price",
    "duration": "sorted by shortest journey",
    "arrival": "sorted by earliest arrival",
}


def _last(end: End) -> tuple[str, dict[str, str]]:
    parts = urlsplit(end.visits[-1] if end.visits else "")
    return parts.path, dict(parse_qsl(parts.query))


class ShowStays(Goal, frozen=True):
    """Have the hotels of a city on screen, filtered and sorted."""

    city: str
    stars: str = ""
    price: str = ""
    has: tuple[str, ...] = ()
    sort: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """City, each filter, order."""
        facts = [Fact("city", f"The last page shows hotels in {world.city[self.city].name}.")]
        if self.stars:
            facts.append(Fact("stars", f"The results on the last page have {dict(finding.STARS)[self.stars].lower()}."))
        if self.price:
            facts.append(Fact("price", f"The results on the last page cost at most ${self.price} per night."))
        facts += [
            Fact(f"has-{key}", f"The results on the last page are filtered by {words.AMENITY_NAMES[key].lower()}.")
            for key in self.has
        ]
        if self.sort:
            facts.append(Fact("sort", f"The results on the last page are {_SORT_PHRASES[self.sort]}."))
        return tuple(facts)

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the address of the last page."""
        path, raw = _last(end)
        if path != "/stays":
            return False
        query, errors = finding.read_stay(end.world, raw)
        if errors:
            return False
        match fact:
            case "city":
                return query.dest == self.city
            case "stars" | "price" | "sort":
                return getattr(query, fact) == getattr(self, fact)
            case _:
                return fact.removeprefix("has-") in query.has

    def next(self, view: View) -> Intent | None:
        """Search the city, then refine."""
        wanted = StayQuery(dest=self.city, stars=self.stars, price=self.price, has=self.has, sort=self.sort)
        return search_stays(view, StayWish(self.city)) or refine_stays(view, wanted)

    def spoil(self, fact: str, world: World) -> ShowStays:
        """Another city, or one filter left out."""
        match fact:
            case "city":
                return replace(self, city=next(city.id for city in world.stay_cities if city.id != self.city))
            case "stars" | "price" | "sort":
                return replace(self, **{fact: ""})
            case _:
                return replace(self, has=tuple(key for key in self.has if f"has-{key}" != fact))

    def clauses(self, world: World) -> tuple[str, ...]:
        """City, filters, order."""
        city = world.city[self.city].name
        filters: list[str] = []
        if self.stars:
            filters.append(dict(finding.STARS)[self.stars].lower())
        if self.price:
            filters.append(f"a price of up to ${self.price} per night")
        filters += [words.AMENITY_NAMES[key].lower() for key in self.has]
        order = f", {_SORT_PHRASES[self.sort]}" if self.sort else ""
        what = f" filtered by {and_join(filters)}" if filters else ""
        return (
            f"show the hotels in {city}{what}{order}",
            f"bring up a list of hotels in {city}{what}{order}, and leave it on the screen",
            f"search for hotels in {city} and have the results{what}{order}",
            f"end on a page with the hotels of {city}{what}{order}",
        )


class ShowTrips(Goal, frozen=True):
    """Have the departures of a day on screen, filtered and sorted."""

    origin: str
    to: str
    day: str
    stops: str = ""
    time: str = ""
    operator: str = ""
    sort: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Route, day, each filter, order."""
        route = f"{world.city[self.origin].name} to {world.city[self.to].name}"
        facts = [
            Fact("route", f"The last page shows {world.mode.many} from {route}."),
            Fact("day", f"The departures on the last page are on {written(self.day)}."),
        ]
        if self.stops:
            facts.append(Fact("stops", f"The last page is filtered to {dict(finding.STOPS)[self.stops].lower()}."))
        if self.time:
            facts.append(Fact("time", f"The last page is filtered to departures in the {self.time}."))
        if self.operator:
            facts.append(Fact("operator", f"The last page is filtered to {self.operator}."))
        if self.sort:
            facts.append(Fact("sort", f"The departures on the last page are {_TRIP_SORTS[self.sort]}."))
        return tuple(facts)

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the address of the last page."""
        path, raw = _last(end)
        if path != "/trips":
            return False
        query, errors = finding.read_trip(end.world, raw)
        if errors or query.out:
            return False
        match fact:
            case "route":
                return (query.origin, query.to) == (self.origin, self.to)
            case "day":
                return query.depart == self.day
            case _:
                return getattr(query, fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        """Search, then refine."""
        wanted = TripQuery(stops=self.stops, time=self.time, operator=self.operator, sort=self.sort)
        return search_trips(view, TripWish(self.origin, self.to, self.day)) or refine_trips(view, wanted)

    def spoil(self, fact: str, world: World) -> ShowTrips:
        """Another destination or day, or one filter left out."""
        match fact:
            case "route":
                other = next(city.id for city in world.cities if city.id not in (self.origin, self.to))
                return replace(self, to=other)
            case "day":
                day = self.day
                later = f"{day[:-2]}{int(day[-2:]) - 1:02d}" if int(day[-2:]) > 1 else f"{day[:-2]}02"
                return replace(self, day=later)
            case _:
                return replace(self, **{fact: ""})

    def clauses(self, world: World) -> tuple[str, ...]:
        """Route, day, filters, order."""
        route = f"from {world.city[self.origin].name} to {world.city[self.to].name}"
        filters: list[str] = []
        if self.stops:
            filters.append(dict(finding.STOPS)[self.stops].lower())
        if self.time:
            filters.append(f"{self.time} departures")
        if self.operator:
            filters.append(f"the operator {self.operator}")
        what = f" filtered by {and_join(filters)}" if filters else ""
        order = f", {_TRIP_SORTS[self.sort]}" if self.sort else ""
        many, day = world.mode.many, written(self.day)
        return (
            f"show one-way {many} {route} on {day}{what}{order}",
            f"bring up the {many} {route} on {day}, one way,{what}{order} and leave them on the screen".replace(
                ",,", ","
            ),
            f"search for one-way {many} {route} for {day} and have the results{what}{order}",
            f"end on a page with the {many} {route} on {day} (one way){what}{order}",
        )


class OpenHotel(Goal, frozen=True):
    """Open the page of the one hotel that is best among those that meet some conditions."""

    city: str
    sort: str
    stars: str = ""
    has: tuple[str, ...] = ()
    hotel: str = ""
    """Another hotel to open instead."""

    def best(self, world: World) -> str:
        """Id of the hotel that is asked for."""
        return finding.find_stays(world, self._query())[0].hotel.id

    def _query(self) -> StayQuery:
        return StayQuery(dest=self.city, stars=self.stars, has=self.has, sort=self.sort)

    def facts(self, world: World) -> tuple[Fact, ...]:
        """The page reached."""
        return (Fact("page", f"The last page is that of {world.hotel[self.best(world)].name}."),)

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the address of the last page."""
        del fact
        return _last(end)[0] == f"/hotel/{self.best(end.world)}"

    def next(self, view: View) -> Intent | None:
        """Search the city, refine, open the first result."""
        hotel = self.hotel or self.best(view.world)
        if view.path == f"/hotel/{hotel}":
            return None
        wanted = StayQuery() if self.hotel else self._query()
        return search_stays(view, StayWish(self.city)) or refine_stays(view, wanted) or find_hotel(view, hotel)

    def spoil(self, fact: str, world: World) -> OpenHotel:
        """The page of another hotel."""
        del fact
        best = self.best(world)
        return replace(self, hotel=next(hotel.id for hotel in world.hotels_in[self.city] if hotel.id != best))

    def clauses(self, world: World) -> tuple[str, ...]:
        """What is best, among which."""
        best = {
            "price": "cheapest hotel",
            "rating": "hotel with the best guest rating",
            "distance": "hotel closest to the centre",
        }
        city = world.city[self.city].name
        conditions = [dict(finding.STARS)[self.stars].lower()] if self.stars else []
        conditions += [words.AMENITY_NAMES[key].lower() for key in self.has]
        among = f" among those with {and_join(conditions)}" if conditions else ""
        return (
            f"open the page of the {best[self.sort]} in {city}{among}",
            f"find the {best[self.sort]} in {city}{among} and go to its page",
            f"go to the page of the {best[self.sort]} that {city} has{among}",
            f"look for the {best[self.sort]} in {city}{among}, and stop on its page",
        )

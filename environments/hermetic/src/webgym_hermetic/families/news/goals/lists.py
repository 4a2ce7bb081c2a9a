"""Finding something out in the listings: events and adverts."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.answers import says_text
from webgym_hermetic.families.news.details import Detail, said, says, wrong
from webgym_hermetic.families.news.goals.ways import deeper, go, link, link_with, split
from webgym_hermetic.families.news.records import Advert, Event, World
from webgym_hermetic.families.news.slots import clock, dollars, long_day
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

PATHS = {"events": "/events", "adverts": "/classifieds"}


class TellListing(Goal, frozen=True):
    """Details of one event or advert."""

    listing: str
    """`events` or `adverts`."""
    id: str
    names: tuple[str, ...]
    claims: dict[str, str] = {}

    def details(self, world: World) -> tuple[Detail, ...]:
        known = listing_details(world, self.listing, self.id)
        return tuple(known[name] for name in self.names)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        title = entry(world, self.listing, self.id).title
        return tuple(
            Fact(one.name, f"The answer states {one.ask} of \u201c{title}\u201d: {one.shown}.")
            for one in self.details(world)
        )

    def holds(self, fact: str, end: End) -> bool:
        return any(says(end.answer, one) for one in self.details(end.world) if one.name == fact)

    def next(self, view: View) -> Intent | None:
        path = f"{PATHS[self.listing]}/{self.id}"
        if view.visited(path):
            return None
        if tap := link(view, path):
            return tap
        kind = kind_id(entry(view.world, self.listing, self.id).kind)
        if view.path != PATHS[self.listing]:
            return go(view, PATHS[self.listing])
        if view.query.get("kind") != kind:
            return link_with(view, PATHS[self.listing], {"kind": kind}) or deeper(view)
        return deeper(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        lies = {one.name: wrong(one) for one in self.details(world) if one.name == fact}
        return TellListing(self.listing, self.id, self.names, lies)

    def clauses(self, world: Any) -> tuple[str, ...]:
        one = entry(world, self.listing, self.id)
        asked = " and ".join(detail.ask for detail in self.details(world))
        place = world.labels.events if self.listing == "events" else world.labels.adverts
        return (
            f"under \u201c{place}\u201d, find \u201c{one.title}\u201d (category {one.kind}) and tell me {asked}",
            f"look for \u201c{one.title}\u201d in the category {one.kind} of {place} and report {asked}",
            f"tell me {asked} of \u201c{one.title}\u201d, listed under {place} in the category {one.kind}",
            f"open {place}, go to the category {one.kind}, and find out {asked} of \u201c{one.title}\u201d",
        )

    def answer(self, world: Any) -> str:
        return f"{', '.join(said(one, self.claims.get(one.name, one.value)) for one in self.details(world))}."


class TellCheapest(Goal, frozen=True):
    """The advert with the lowest or the highest price in a category."""

    category: str
    highest: bool = False
    claim: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        title = ranked(world, self.category, highest=self.highest)[0].title
        return (Fact("title", f"The answer names the {self._word()} one in {self.category}: \u201c{title}\u201d."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        first, *rest = ranked(end.world, self.category, highest=self.highest)
        return says_text(end.answer, first.title, rivals=tuple(one.title for one in rest[:3]))

    def next(self, view: View) -> Intent | None:
        sort = "dearest" if self.highest else "cheapest"
        wanted = {"kind": kind_id(self.category), "sort": sort}
        if any(path == "/classifieds" and query == wanted for path, query in map(split, view.visits)):
            return None
        if view.path != "/classifieds":
            return go(view, "/classifieds")
        kept = {name: value for name, value in view.query.items() if name != "page"}
        steps = ({**kept, "kind": wanted["kind"]}, {**kept, "sort": sort}, {"kind": wanted["kind"]})
        for query in (wanted, *steps):
            if query != kept and (tap := link_with(view, "/classifieds", query)):
                return tap
        return go(view, "/classifieds")

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        second = ranked(world, self.category, highest=self.highest)[1].title
        return TellCheapest(self.category, self.highest, second)

    def clauses(self, world: Any) -> tuple[str, ...]:
        place, word = world.labels.adverts, self._word()
        what = f"{word} entry in the category {self.category}"
        return (
            f"open {place} and tell me the title of the {what}",
            f"find the {what} of {place} and give me its title",
            f"sort {place} by {world.labels.price_word.lower()} and report the title of the {what}",
            f"say which is the {what} under \u201c{place}\u201d; answer with its title",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or ranked(world, self.category, highest=self.highest)[0].title}."

    def _word(self) -> str:
        return "most expensive" if self.highest else "cheapest"


def ranked(world: World, kind: str, *, highest: bool) -> list[Advert]:
    """Adverts of a category by price."""
    own = [one for one in world.adverts if one.kind == kind]
    return sorted(own, key=lambda one: one.price, reverse=highest)


def kind_id(kind: str) -> str:
    return kind.lower().replace(" ", "-")


def entry(world: World, listing: str, name: str) -> Event | Advert:
    """An event or advert by its id."""
    return next(one for one in (world.events if listing == "events" else world.adverts) if one.id == name)


def listing_details(world: World, listing: str, name: str) -> dict[str, Detail]:
    """What can be asked about an event or advert."""
    one = entry(world, listing, name)
    cents = f"{one.price / 100:g}"
    price_word = "ticket price" if isinstance(one, Event) else world.labels.price_word.lower()
    found = [Detail("price", f"the {price_word} in dollars", cents, "number", dollars(one.price))]
    match one:
        case Event():
            venues = tuple(sorted({other.venue for other in world.events} - {one.venue}))
            found += [
                Detail("date", "the date", one.date, "date", long_day(one.date)),
                Detail("time", "the starting time", clock(one.time), "text", clock(one.time)),
                Detail("venue", "the venue", one.venue, "text", one.venue, venues),
                Detail("host", "the name of the host", one.host, "text", one.host),
                Detail("places", "the number of places", str(one.places), "number", str(one.places)),
            ]
        case Advert():
            towns = tuple(sorted({other.town for other in world.adverts} - {one.town}))
            found += [
                Detail("seller", "the name of the contact person", one.seller, "text", one.seller),
                Detail("phone", "the telephone number", one.phone, "text", one.phone),
                Detail("town", "the town", one.town, "text", one.town, towns),
            ]
    return {one.name: one for one in found}

"""Events, adverts and polls."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.find import page_of
from webgym_hermetic.families.news.goals.lists import kind_id
from webgym_hermetic.families.news.records import Advert, Poll, World
from webgym_hermetic.families.news.records import Event as Happening
from webgym_hermetic.families.news.state import State
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

_SIZE = 9
_SORTS = (("", "Newest"), ("cheapest", "Lowest price"), ("dearest", "Highest price"))


@FAMILY.get("/events")
def events(visit: Visit) -> Page:
    world: World = visit.world
    kind = visit.query.get("kind", "")
    found = [one for one in world.events if kind in ("", kind_id(one.kind))]
    shown, page, pages = page_of(found, visit.query.get("page", "1"), _SIZE)
    context = {
        "events": shown,
        "found": len(found),
        "page": page,
        "pages": pages,
        "href": _pages("/events", {"kind": kind}),
        "kinds": _kinds("/events", world.events, kind, {}),
        "sent": _sent(visit.state, "event"),
    }
    return Page("events.html", world.labels.events, context)


@FAMILY.get("/events/{name}")
def event(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    found = [one for one in world.events if one.id == name]
    if not found:
        return Missing()
    near = [one for one in world.events if one.kind == found[0].kind and one.id != name][:3]
    return Page("event.html", found[0].title, {"event": found[0], "near": near})


@FAMILY.get("/classifieds")
def adverts(visit: Visit) -> Page:
    world: World = visit.world
    kind, sort = visit.query.get("kind", ""), visit.query.get("sort", "")
    found = [one for one in world.adverts if kind in ("", kind_id(one.kind))]
    if sort in ("cheapest", "dearest"):
        found.sort(key=lambda one: one.price, reverse=sort == "dearest")
    shown, page, pages = page_of(found, visit.query.get("page", "1"), _SIZE)
    context = {
        "adverts": shown,
        "found": len(found),
        "page": page,
        "pages": pages,
        "href": _pages("/classifieds", {"kind": kind, "sort": sort}),
        "kinds": _kinds("/classifieds", world.adverts, kind, {"sort": sort}),
        "sorts": [
            (label, _with("/classifieds", {"kind": kind, "sort": value}), value == sort) for value, label in _SORTS
        ],
        "sent": _sent(visit.state, "advert"),
    }
    return Page("adverts.html", world.labels.adverts, context)


@FAMILY.get("/classifieds/{name}")
def advert(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    found = [one for one in world.adverts if one.id == name]
    if not found:
        return Missing()
    near = [one for one in world.adverts if one.kind == found[0].kind and one.id != name][:3]
    return Page("advert.html", found[0].title, {"advert": found[0], "near": near})


@FAMILY.get("/polls")
def polls(visit: Visit) -> Page:
    world: World = visit.world
    return Page("polls.html", world.labels.polls, {"totals": {one.id: sum(one.votes) for one in world.polls}})


@FAMILY.get("/poll/{name}")
def poll(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    if name not in {one.id for one in world.polls}:
        return Missing()
    one = world.poll(name)
    voted = visit.state.votes.get(name, "")
    context = {"poll": one, "voted": voted, "results": _results(one, voted), "error": ""}
    asks = not voted or visit.query.get("change") == "1"
    return Page("poll.html", one.question, {**context, "asks": asks})


@FAMILY.post("/poll/{name}")
def vote(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    if name not in {one.id for one in world.polls}:
        return Missing()
    one, option = world.poll(name), visit.form.get("option", "")
    if option not in dict(one.options):
        context = {"poll": one, "voted": "", "results": (), "error": "Please choose one of the options.", "asks": True}
        return Page("poll.html", one.question, context)
    return Go(f"/poll/{name}", (Event("vote", {"poll": name, "option": option}),), "Thank you for voting.")


def _results(poll: Poll, voted: str) -> list[tuple[str, int, int, bool]]:
    """Label, votes, share in per cent, and whether it is the reader's own choice."""
    votes = [count + (option == voted) for (option, _), count in zip(poll.options, poll.votes, strict=True)]
    total = sum(votes) or 1
    return [
        (label, count, round(100 * count / total), option == voted)
        for (option, label), count in zip(poll.options, votes, strict=True)
    ]


def _kinds(
    path: str, items: Sequence[Happening | Advert], chosen: str, query: dict[str, str]
) -> list[tuple[str, str, bool]]:
    kinds = sorted({one.kind for one in items})
    every = ("All", _with(path, query), not chosen)
    return [every, *((kind, _with(path, {"kind": kind_id(kind), **query}), chosen == kind_id(kind)) for kind in kinds)]


def _sent(state: State, form: str) -> list[dict[str, str]]:
    """What the session itself handed in."""
    return [one.values for one in reversed(state.submissions) if one.form == form][:2]


def _pages(path: str, query: dict[str, str]) -> str:
    kept = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(kept)}&page={{page}}" if kept else f"{path}?page={{page}}"


def _with(path: str, query: dict[str, str]) -> str:
    kept = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path

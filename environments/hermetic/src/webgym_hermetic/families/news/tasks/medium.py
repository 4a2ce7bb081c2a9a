"""Templates of tasks with four to six facts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.news.records import World
from webgym_hermetic.families.news.tasks import draw
from webgym_hermetic.families.news.tasks.fit import fitting
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _search(rng: Rng, world: World) -> Made:
    return fitting(world, draw.filter_search(rng, world, 3), draw.keep(rng, world, rng.between(1, 2)))


def _letter(rng: Rng, world: World) -> Made:
    return fitting(world, draw.form(rng, world, "letter", ("desk", "subject", "message", "town"), rng.between(0, 2)))


def _newsletters(rng: Rng, world: World) -> Made:
    more = rng.between(2, 4)
    return fitting(world, draw.form(rng, world, "newsletters", ("frequency", "email"), more))


def _event(rng: Rng, world: World) -> Made:
    must = ("title", "kind", "date", "venue", "price")
    return fitting(world, draw.form(rng, world, "event", must, rng.between(0, 1)))


def _advert(rng: Rng, world: World) -> Made:
    must = ("kind", "title", "text", "price", "town")
    return fitting(world, draw.form(rng, world, "advert", must, rng.between(0, 1)))


def _research(rng: Rng, world: World) -> Made:
    one, other = draw.tell_details(rng, world, 2), draw.tell_details(rng, world, 2)
    if one is not None and other is not None and one.slug == other.slug:
        return None
    third = draw.tell_board(rng, world) if rng.chance(0.5) else draw.tell_latest(rng, world)
    return fitting(world, one, other, third)


def _discuss(rng: Rng, world: World) -> Made:
    return fitting(world, draw.comment(rng, world), draw.like(rng, world, rng.between(1, 2)))


def _review(rng: Rng, world: World) -> Made:
    return fitting(world, draw.feedback(rng, world), draw.keep(rng, world, 1), draw.vote(rng, world))


def _around(rng: Rng, world: World) -> Made:
    first = draw.compare(rng, world)
    return fitting(world, first, draw.tell_listing(rng, world, 2), draw.follow(rng, world, 2))


MEDIUM = (
    Template("search", range(5, 7), _search),
    Template("letter", range(4, 7), _letter),
    Template("newsletters", range(4, 7), _newsletters),
    Template("event", range(5, 7), _event),
    Template("advert", range(5, 7), _advert),
    Template("research", range(5, 6), _research),
    Template("discuss", range(4, 6), _discuss),
    Template("review", range(6, 7), _review),
    Template("around", range(5, 6), _around),
)

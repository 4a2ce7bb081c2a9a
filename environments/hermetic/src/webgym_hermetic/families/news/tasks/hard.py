"""Templates of tasks with seven to twelve facts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.news.goals.fill import Submit
from webgym_hermetic.families.news.records import World
from webgym_hermetic.families.news.tasks import draw
from webgym_hermetic.families.news.tasks.fit import fitting
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _subscription(rng: Rng, world: World, more: int) -> Submit:
    return draw.form(rng, world, "subscription", ("plan", "period", "street", "city", "postcode", "payment"), more)


def _subscribe(rng: Rng, world: World) -> Made:
    return fitting(world, _subscription(rng, world, rng.between(1, 3)))


def _join(rng: Rng, world: World) -> Made:
    letters = draw.form(rng, world, "newsletters", ("frequency",), rng.between(1, 2))
    return fitting(world, _subscription(rng, world, 1), letters)


def _correspond(rng: Rng, world: World) -> Made:
    letter = draw.form(rng, world, "letter", ("desk", "subject", "message", "town"))
    event = draw.form(rng, world, "event", ("title", "kind", "date", "venue", "price"))
    return fitting(world, letter, event, draw.tell_board(rng, world))


def _engage(rng: Rng, world: World) -> Made:
    found = draw.filter_search(rng, world, 2)
    settings = draw.form(rng, world, "settings", (), 2)
    return fitting(world, found, draw.comment(rng, world), settings, draw.keep(rng, world, 1))


def _notice(rng: Rng, world: World) -> Made:
    advert = draw.form(rng, world, "advert", ("kind", "title", "text", "price", "town"))
    return fitting(world, advert, draw.tell_listing(rng, world, 1), draw.follow(rng, world, 2))


def _dossier(rng: Rng, world: World) -> Made:
    told = [draw.tell_details(rng, world, 2) for _ in range(2)]
    if None in told or len({one.slug for one in told if one}) < 2:
        return None
    return fitting(world, *told, draw.tell_latest(rng, world), draw.keep(rng, world, rng.between(2, 3)))


def _member(rng: Rng, world: World) -> Made:
    plan = draw.form(rng, world, "subscription", ("plan", "period", "street", "city", "postcode", "payment"))
    return fitting(world, draw.tell_details(rng, world, 1), plan, draw.vote(rng, world), draw.like(rng, world))


HARD = (
    Template("subscribe", range(7, 10), _subscribe),
    Template("join", range(9, 11), _join),
    Template("correspond", range(10, 11), _correspond),
    Template("engage", range(9, 10), _engage),
    Template("notice", range(8, 9), _notice),
    Template("dossier", range(7, 9), _dossier),
    Template("member", range(10, 11), _member),
)

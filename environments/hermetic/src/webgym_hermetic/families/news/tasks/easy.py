"""Templates of tasks with one to three facts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.news.records import World
from webgym_hermetic.families.news.tasks import draw
from webgym_hermetic.families.news.tasks.fit import fitting
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _detail(rng: Rng, world: World) -> Made:
    return fitting(world, draw.tell_details(rng, world))


def _details(rng: Rng, world: World) -> Made:
    return fitting(world, draw.tell_details(rng, world, rng.between(2, 3)))


def _byline(rng: Rng, world: World) -> Made:
    return fitting(world, draw.tell_byline(rng, world) if rng.chance(0.6) else draw.tell_author(rng, world))


def _latest(rng: Rng, world: World) -> Made:
    return fitting(world, draw.tell_latest(rng, world))


def _table(rng: Rng, world: World) -> Made:
    return fitting(world, draw.tell_board(rng, world))


def _compare(rng: Rng, world: World) -> Made:
    return fitting(world, draw.compare(rng, world))


def _listing(rng: Rng, world: World) -> Made:
    one = draw.tell_cheapest(rng, world) if rng.chance(0.3) else draw.tell_listing(rng, world, rng.between(1, 2))
    return fitting(world, one)


def _open(rng: Rng, world: World) -> Made:
    return fitting(world, draw.open_page(rng, world))


def _vote(rng: Rng, world: World) -> Made:
    second = draw.tell_board(rng, world) if rng.chance(0.6) else draw.tell_byline(rng, world)
    return fitting(world, draw.vote(rng, world), second)


def _keep(rng: Rng, world: World) -> Made:
    return fitting(world, draw.keep(rng, world, rng.between(1, 2)))


def _follow(rng: Rng, world: World) -> Made:
    return fitting(world, draw.follow(rng, world, rng.between(2, 3)))


def _settings(rng: Rng, world: World) -> Made:
    return fitting(world, draw.form(rng, world, "settings", (), rng.between(2, 3)))


def _react(rng: Rng, world: World) -> Made:
    return fitting(world, draw.reply(rng, world), draw.like(rng, world, rng.between(1, 2)))


EASY = (
    Template("detail", range(1, 2), _detail),
    Template("details", range(2, 4), _details),
    Template("byline", range(1, 2), _byline),
    Template("latest", range(1, 2), _latest),
    Template("table", range(1, 2), _table),
    Template("compare", range(1, 2), _compare),
    Template("listing", range(1, 3), _listing),
    Template("open", range(1, 2), _open),
    Template("vote", range(3, 4), _vote),
    Template("keep", range(1, 3), _keep),
    Template("follow", range(2, 4), _follow),
    Template("settings", range(2, 4), _settings),
    Template("react", range(2, 4), _react),
)

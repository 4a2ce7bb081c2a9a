"""Templates of tasks with seven or more facts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.mail.records import World
from webgym_hermetic.families.mail.tasks import draw
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _away(rng: Rng, world: World) -> Made:
    """Everything for a vacation."""
    parts: tuple[Goal, ...] = (draw.vacation(rng, world, known=rng.chance(0.5)), draw.forwarding(rng, world))
    return (*parts, draw.signature(rng, world)) if rng.chance(0.5) else parts


def _welcome(rng: Rng, world: World) -> Made:
    """Somebody new: a contact, an event, a message about it."""
    return draw.sound(
        (
            draw.new_contact(rng, world, rng.between(1, 2)),
            draw.new_event(rng, world, 1),
            draw.compose(rng, world, rng.between(0, 1)),
        ),
        world,
    )


def _clean_up(rng: Rng, world: World) -> Made:
    swept = draw.sweep(rng, world, 2, 4)
    if swept is None:
        return None
    apart = swept.threads(world)
    marked = draw.mark(rng, world, rng.between(2, 3), apart, "archive", "star", "label", "read")
    return draw.sound((swept, marked, draw.rule(rng, world), draw.preferences(rng, rng.between(1, 2))), world)


def _delegate(rng: Rng, world: World) -> Made:
    """Pass things on, and a date to talk about them."""
    passed = draw.forward(rng, world)
    told = draw.relay(rng, world, (passed.to,))
    return draw.sound((told, passed, draw.new_event(rng, world, rng.between(1, 3))), world)


def _overhaul(rng: Rng, world: World) -> Made:
    """Most of the settings."""
    return draw.sound(
        (
            draw.preferences(rng, rng.between(3, 5)),
            draw.signature(rng, world),
            draw.rule(rng, world),
            draw.forwarding(rng, world),
        ),
        world,
    )


def _plan(rng: Rng, world: World) -> Made:
    """An event, and the invitation to it."""
    return draw.sound(
        (draw.new_event(rng, world, rng.between(2, 4)), draw.compose(rng, world, rng.between(1, 2))), world
    )


def _rounds(rng: Rng, world: World) -> Made:
    """A morning in the inbox."""
    answer = draw.reply(rng, world)
    if answer is None:
        return None
    passed = draw.forward(rng, world, (answer.thread,))
    put = draw.mark(rng, world, rng.between(3, 4), (answer.thread, passed.thread), "archive", "star", "trash", "label")
    return draw.sound((draw.detail(rng, world), answer, passed, put), world)


def _trip(rng: Rng, world: World) -> Made:
    """A booking into the calendar, its price to somebody, the responder for the days away."""
    event = draw.booked(rng, world, reminder=rng.chance(0.5))
    return draw.sound((event, draw.relay(rng, world), draw.vacation(rng, world, known=False)), world)


def _paperwork(rng: Rng, world: World) -> Made:
    """Answers, a corrected contact, a message with everything."""
    message = draw.compose(rng, world, rng.between(2, 3))
    return draw.sound((draw.detail(rng, world), draw.edit_contact(rng, world, 2), message), world)


HARD = (
    Template("away", range(8, 11), _away),
    Template("welcome", range(10, 13), _welcome),
    Template("clean_up", range(7, 12), _clean_up),
    Template("delegate", range(9, 12), _delegate),
    Template("overhaul", range(9, 12), _overhaul),
    Template("plan", range(9, 13), _plan),
    Template("rounds", range(7, 10), _rounds),
    Template("trip", range(11, 13), _trip),
    Template("paperwork", range(8, 10), _paperwork),
)

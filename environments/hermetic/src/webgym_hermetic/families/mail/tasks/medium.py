"""Templates of tasks with four to six facts."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.mail.goals import ContactFact, EventFact, SearchForm
from webgym_hermetic.families.mail.records import World
from webgym_hermetic.families.mail.span import SEARCHED
from webgym_hermetic.families.mail.tasks import draw
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _compose(rng: Rng, world: World) -> Made:
    return (draw.compose(rng, world, rng.between(1, 3)),)


def _new_event(rng: Rng, world: World) -> Made:
    return (draw.new_event(rng, world, rng.between(1, 3)),)


def _new_contact(rng: Rng, world: World) -> Made:
    return draw.sound((draw.new_contact(rng, world, rng.between(2, 4)),), world)


def _vacation(rng: Rng, world: World) -> Made:
    return (draw.vacation(rng, world, known=rng.chance(0.5)),)


def _search_form(rng: Rng, world: World) -> Made:
    thread = rng.pick([one for one in world.threads if one.folder in ("inbox", "archive")])
    last = date.fromisoformat(thread.last.sent[:10])
    today = date.fromisoformat(world.today)
    after = max(last - timedelta(days=rng.between(1, 14)), today - timedelta(days=SEARCHED))
    before = min(last + timedelta(days=rng.between(1, 10)), today)
    files, place = rng.chance(0.6), rng.chance(0.6)
    word = thread.subject.split()[0].strip(":,?").lower() if not (files and place) and rng.chance(0.6) else ""
    goal = SearchForm(
        thread.other.name, after.isoformat(), before.isoformat(), files, thread.folder if place else "", word
    )
    return (goal,) if len(goal.facts(world)) >= 4 else None


def _tidy_many(rng: Rng, world: World) -> Made:
    first = draw.mark(rng, world, rng.between(2, 3))
    second = draw.mark(rng, world, rng.between(2, 3), first.threads) if first else None
    return draw.sound((first, second), world)


def _sweep_and_rule(rng: Rng, world: World) -> Made:
    return draw.sound((draw.sweep(rng, world, 2, 4), draw.rule(rng, world)), world)


def _relay_and_forward(rng: Rng, world: World) -> Made:
    passed = draw.forward(rng, world)
    return draw.sound((draw.relay(rng, world, (passed.to,)), passed), world)


def _booked(rng: Rng, world: World) -> Made:
    """An event from a message, and an answer to another."""
    event = draw.booked(rng, world, reminder=True)
    return draw.sound((event, draw.reply(rng, world, (event.thread,) if event else ())), world)


def _round(rng: Rng, world: World) -> Made:
    """Look up, answer, put away."""
    answer = draw.reply(rng, world)
    if answer is None:
        return None
    put = draw.mark(rng, world, 2, (answer.thread,), "archive", "star", "trash", "label")
    return draw.sound((draw.detail(rng, world), answer, put), world)


def _lookups(rng: Rng, world: World) -> Made:
    """Four questions to the mailbox, the address book and the calendar."""
    person, event = rng.pick(world.people), rng.pick(world.occasions)
    one = draw.detail(rng, world)
    other = draw.detail(rng, world, (one.thread,))
    asked = (one, ContactFact(person.id, rng.pick(("phone", "birthday"))), EventFact(event.id, "location"), other)
    return draw.sound(asked, world)


def _contact_and_note(rng: Rng, world: World) -> Made:
    return draw.sound((draw.edit_contact(rng, world, rng.between(1, 3)), draw.compose(rng, world, 0)), world)


def _preferences_and_rule(rng: Rng, world: World) -> Made:
    return draw.sound(
        (draw.preferences(rng, rng.between(2, 3)), draw.rule(rng, world), draw.signature(rng, world)), world
    )


MEDIUM = (
    Template("compose", range(4, 7), _compose),
    Template("new_event", range(4, 7), _new_event),
    Template("new_contact", range(4, 7), _new_contact),
    Template("vacation", range(5, 7), _vacation),
    Template("search_form", range(4, 6), _search_form),
    Template("tidy_many", range(4, 7), _tidy_many),
    Template("sweep_and_rule", range(4, 7), _sweep_and_rule),
    Template("relay_and_forward", range(5, 6), _relay_and_forward),
    Template("booked", range(5, 7), _booked),
    Template("round", range(4, 6), _round),
    Template("lookups", range(4, 5), _lookups),
    Template("contact_and_note", range(4, 7), _contact_and_note),
    Template("preferences_and_rule", range(5, 7), _preferences_and_rule),
)

"""Draws random goals from a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

from webgym.rng import Rng
from webgym_hermetic.families.mail.addressing import answered
from webgym_hermetic.families.mail.goals import (
    AddRule,
    Compose,
    EditContact,
    EventFromMail,
    FindDetail,
    Forward,
    Forwarding,
    Mark,
    NewContact,
    NewEvent,
    Preferences,
    Relay,
    Reply,
    Signature,
    Sweep,
    Vacation,
)  # fmt: skip
from webgym_hermetic.families.mail.goals.booked import ANNOUNCED
from webgym_hermetic.families.mail.letters.pen import slug
from webgym_hermetic.families.mail.people import PROVIDERS
from webgym_hermetic.families.mail.records import LENGTHS, REMINDERS, Person, Thread, World
from webgym_hermetic.families.mail.state import SETTINGS, Settings, start
from webgym_hermetic.families.mail.tasks.texts import mail_texts
from webgym_hermetic.families.mail.words import mail_words
from webgym_hermetic.goal import End, Goal

Fits = Callable[[Thread], bool]


def received(thread: Thread) -> bool:
    return thread.topic != "spam" and thread.folder in ("inbox", "archive")


def pick_threads(rng: Rng, world: World, count: int, fits: Fits, apart: Sequence[str] = ()) -> list[Thread]:
    return rng.sample([one for one in world.threads if fits(one) and one.id not in apart], count)


def detail(rng: Rng, world: World, apart: Sequence[str] = ()) -> FindDetail:
    (thread,) = pick_threads(rng, world, 1, lambda one: bool(one.details), apart)
    return FindDetail(thread.id, rng.pick(thread.details).name)


_MARKS: tuple[tuple[str, Fits], ...] = (
    ("archive", lambda one: one.folder == "inbox"),
    ("trash", lambda one: one.folder in ("inbox", "archive")),
    ("spam", lambda one: one.folder == "inbox" and one.topic in ("newsletter", "subscription", "club")),
    ("inbox", lambda one: one.folder in ("archive", "trash")),
    ("star", lambda one: one.folder in ("inbox", "archive") and not one.starred),
    ("unstar", lambda one: one.starred),
    ("read", lambda one: one.unread and one.folder == "inbox"),
    ("unread", lambda one: not one.unread and one.folder == "inbox"),
)


def mark(rng: Rng, world: World, count: int, apart: Sequence[str] = (), *wants: str) -> Mark | None:
    """Some conversations that are not yet as wanted."""
    options = [one for one in _MARKS if not wants or one[0] in wants]
    if not wants or "label" in wants:
        name = rng.pick(world.labels)
        options += [(f"label:{name}", partial(_lacks, name))] * (1 if wants else 3)
    want, fits = rng.pick(options)
    threads = pick_threads(rng, world, count, fits, apart)
    return Mark(tuple(one.id for one in threads), want) if len(threads) == count else None


def _lacks(label: str, thread: Thread) -> bool:
    return received(thread) and label not in thread.labels


def sweep(rng: Rng, world: World, low: int, high: int) -> Sweep | None:
    """All of one sender in a folder, where that sender takes part in nothing else."""
    wants = {"inbox": ("archive", "trash", "star"), "archive": ("trash", "inbox"), "spam": ("trash",)}
    options: list[Sweep] = []
    for folder, actions in wants.items():
        here = [one for one in world.threads if one.folder == folder]
        for address in dict.fromkeys(one.other.address for one in here):
            taking_part = [one for one in here if any(message.address == address for message in one.messages)]
            mine = [one for one in here if one.other.address == address]
            if len(mine) == len(taking_part) and low <= len(mine) <= high and not any(one.starred for one in mine):
                options += [Sweep(address, folder, action) for action in actions]
    return rng.pick(options) if options else None


def people(rng: Rng, world: World, count: int) -> list[Person]:
    return rng.sample(world.people, count)


def day(rng: Rng, world: World, low: int = 1, high: int = 40) -> str:
    return (date.fromisoformat(world.today) + timedelta(days=rng.between(low, high))).isoformat()


def clock(rng: Rng) -> str:
    return f"{rng.between(8, 18):02d}:{rng.pick(('00', '15', '30', '45'))}"


def compose(rng: Rng, world: World, extras: int, apart: Sequence[str] = ()) -> Compose:
    """A message with so many things besides recipient, subject and text."""
    to, cc = rng.sample([one.email for one in world.people if one.email not in apart], 2)
    chosen = rng.sample(("cc", "priority", "receipt", "scheduled"), extras)
    return Compose(
        to=to,
        subject=rng.pick(mail_texts().subjects),
        body=rng.pick(mail_texts().bodies),
        cc=cc if "cc" in chosen else "",
        priority=rng.pick(("high", "low")) if "priority" in chosen else "",
        receipt="receipt" in chosen,
        scheduled=day(rng, world, 2, 30) if "scheduled" in chosen else "",
    )


def reply(rng: Rng, world: World, apart: Sequence[str] = (), *, group: bool | None = None) -> Reply | None:
    """An answer; to a group if asked for, to one person if asked for."""

    def fits(thread: Thread) -> bool:
        if not received(thread) or thread.topic in ("newsletter", "card", "statement", "sign-in", "bill"):
            return False
        one, everyone = (answered(world, start(world), thread.id, everyone=flag) for flag in (False, True))
        return group is None or (one != everyone) == group

    threads = pick_threads(rng, world, 1, fits, apart)
    return Reply(threads[0].id, rng.pick(mail_texts().replies), bool(group) and rng.chance(0.7)) if threads else None


def forward(rng: Rng, world: World, apart: Sequence[str] = ()) -> Forward:
    (thread,) = pick_threads(rng, world, 1, received, apart)
    taking_part = {address for one in thread.messages for address in (one.address, *one.to, *one.cc)}
    to = rng.pick([one.email for one in world.people if one.email not in taking_part])
    return Forward(thread.id, to, rng.pick(mail_texts().notes))


def relay(rng: Rng, world: World, apart: Sequence[str] = ()) -> Relay:
    found = detail(rng, world)
    to = rng.pick([one.email for one in world.people if one.email not in apart])
    return Relay(found.thread, found.detail, to, rng.pick(mail_texts().relayed))


def new_event(rng: Rng, world: World, extras: int) -> NewEvent:
    """An event with so many things besides title, date and time."""
    chosen = rng.sample(("minutes", "guest", "location", "reminder"), extras)
    return NewEvent(
        title=rng.pick(mail_texts().events),
        date=day(rng, world),
        start=clock(rng),
        minutes=rng.pick([minutes for minutes, _ in LENGTHS if minutes != 60]) if "minutes" in chosen else 0,
        guest=rng.pick(world.people).email if "guest" in chosen else "",
        location=rng.pick(mail_texts().places) if "location" in chosen else "",
        reminder=rng.pick([before for before, _ in REMINDERS if before != 15]) if "reminder" in chosen else -1,
    )


def booked(rng: Rng, world: World, *, reminder: bool) -> EventFromMail | None:
    threads = pick_threads(rng, world, 1, lambda one: one.topic in ANNOUNCED)
    before = rng.pick([before for before, _ in REMINDERS if before != 15]) if reminder else -1
    return EventFromMail(threads[0].id, rng.pick(mail_texts().events), before) if threads else None


def new_contact(rng: Rng, world: World, extras: int) -> NewContact | None:
    """Somebody new, with so many things besides name and address."""
    name = f"{rng.pick(mail_words().first_names)} {rng.pick(mail_words().last_names)}"
    if any(one.name == name for one in (*world.people, world.owner)):
        return None
    firm = rng.pick(mail_texts().firms)
    born = date(rng.between(1958, 2000), rng.between(1, 12), rng.between(1, 28))
    chosen = rng.sample(("phone", "company", "role", "birthday", "city"), extras)
    values = {
        "phone": phone(rng),
        "company": firm,
        "role": rng.pick(mail_words().jobs),
        "birthday": born.isoformat(),
        "city": rng.pick(mail_words().cities),
    }
    email = f"{name.lower().replace(' ', '.')}@{slug(firm)}.com"
    return NewContact(name, email, **{field: value for field, value in values.items() if field in chosen})


def edit_contact(rng: Rng, world: World, count: int) -> EditContact:
    person = rng.pick(world.people)
    firm = rng.pick(mail_texts().firms)
    values = {
        "phone": phone(rng),
        "company": firm,
        "role": rng.pick([one for one in mail_words().jobs if one != person.role]),
        "city": rng.pick([one for one in mail_words().cities if one != person.city]),
    }
    chosen = rng.sample(tuple(values), count)
    return EditContact(person.id, **{field: value for field, value in values.items() if field in chosen})


def phone(rng: Rng) -> str:
    return f"({rng.pick(mail_words().area_codes)}) 555-0{rng.between(200, 989)}"


def preferences(rng: Rng, count: int) -> Preferences:
    first = Settings()
    options = {
        name: rng.pick([value for value in SETTINGS[name] if value != getattr(first, name)])
        for name in ("density", "theme", "undo", "opens", "notify")
    }
    options["sound"] = "on"
    chosen = rng.sample(tuple(options), count)
    return Preferences(**{name: value for name, value in options.items() if name in chosen})


def signature(rng: Rng, world: World) -> Signature:
    owner = world.owner
    first = owner.name.partition(" ")[0]
    return Signature(
        rng.pick(mail_texts().signatures).format(name=owner.name, company=world.company, first=first, role=owner.role)
    )


def vacation(rng: Rng, world: World, *, known: bool) -> Vacation:
    first = day(rng, world, 3, 40)
    last = (date.fromisoformat(first) + timedelta(days=rng.between(3, 20))).isoformat()
    return Vacation(first, last, rng.pick(mail_texts().away_subjects), rng.pick(mail_texts().away_texts), known)


def forwarding(rng: Rng, world: World) -> Forwarding:
    name = f"{rng.pick(mail_words().first_names)}.{world.owner.name.split()[-1]}".lower()
    return Forwarding(f"{name}@{rng.pick(PROVIDERS)}", rng.pick(("archive", "trash")))


def rule(rng: Rng, world: World) -> AddRule:
    action = rng.pick(("archive", "star", "read", "trash", "label", "label"))
    field = rng.pick(("from", "subject"))
    used = {one.text for one in world.rules}
    addresses = sorted({one.other.address for one in world.threads if one.topic != "spam"} - used)
    text = rng.pick(addresses) if field == "from" else rng.pick(mail_texts().rule_words)
    return AddRule(field, text, action, rng.pick(world.labels) if action == "label" else "")


def sound(goals: tuple[Goal | None, ...], world: World) -> tuple[Goal, ...] | None:
    """The goals, if all are there and their answers can be told apart: each wrong answer fails alone."""
    made = tuple(one for one in goals if one is not None)
    if len(made) < len(goals):
        return None
    state = start(world)
    asking = [index for index, one in enumerate(made) if one.answer(world)]
    for wrong in (None, *asking):
        told = [one.spoil("answer", world) if index == wrong else one for index, one in enumerate(made)]
        end = End(world, state, (), " ".join(part for one in told if (part := one.answer(world))))
        if any(made[index].holds("answer", end) == (index == wrong) for index in asking):
            return None
    return made

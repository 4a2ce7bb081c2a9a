"""Generates the world of a mailbox from its seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.mail.diary import draw_diary
from webgym_hermetic.families.mail.letters import bulk, home, money, own, shopping, travel, work
from webgym_hermetic.families.mail.letters.pen import Line, Pen, Plot, slug
from webgym_hermetic.families.mail.people import draw_people
from webgym_hermetic.families.mail.records import Draft, Message, Person, Rule, Thread, World
from webgym_hermetic.families.mail.words import mail_words
from webgym_hermetic.site import Site

_PLAN: tuple[tuple[Callable[[Pen], list[Plot]], int, int], ...] = (
    (shopping.order, 3, 5),
    (shopping.parcel, 3, 5),
    (shopping.subscription, 2, 3),
    (shopping.ticket, 2, 3),
    (shopping.refund, 1, 2),
    (shopping.pickup, 1, 2),
    (money.invoice, 3, 4),
    (money.quote, 2, 3),
    (money.statement, 2, 4),
    (money.card, 2, 4),
    (money.bill, 2, 4),
    (travel.flight, 2, 4),
    (travel.hotel, 2, 4),
    (travel.train, 2, 3),
    (work.meeting, 5, 7),
    (work.project, 5, 7),
    (work.shared_file, 2, 4),
    (work.support, 1, 2),
    (work.candidate, 1, 3),
    (work.lunch, 1, 1),
    (home.dinner, 2, 4),
    (home.photos, 2, 3),
    (home.favour, 2, 3),
    (home.appointment, 2, 3),
    (home.repair, 1, 2),
    (home.notice, 1, 3),
    (bulk.newsletter, 5, 8),
    (bulk.sign_in, 1, 3),
    (bulk.survey, 1, 2),
    (bulk.spam, 7, 10),
    (own.request, 2, 3),
    (own.minutes, 1, 2),
    (own.thanks, 1, 2),
)
"""What a mailbox holds: kinds of conversations, from so many to so many of each."""
_SPAN = 56
"""Days that the mailbox goes back."""


def draw_world(site: Site) -> World:
    """Everything in the mailbox before anyone touched it."""
    rng = Rng(site.seed, "world")
    today = date(2026, 2, 2) + timedelta(days=rng.below(260))
    company = rng.pick(mail_words().employers)
    owner, people = draw_people(rng.fork("people"), company, f"{slug(site.brand)}.com")
    labels = tuple(sorted(rng.sample(mail_words().labels, rng.between(4, 6))))
    pen = Pen(rng.fork("letters"), today, owner, people, company)
    threads = _threads(pen, labels)
    return World(
        today=today.isoformat(),
        owner=owner,
        company=company,
        people=people,
        threads=threads,
        drafts=_drafts(pen),
        occasions=draw_diary(rng.fork("diary"), today, people),
        rules=_rules(rng.fork("rules"), threads, labels),
        blocked=tuple(one.other.address for one in threads if one.topic == "spam")[:2],
        labels=labels,
        signature=f"{owner.name}\n{owner.role}, {company}\n{owner.phone}",
        page_size=rng.pick((12, 15, 15, 20)),
    )


def _threads(pen: Pen, labels: tuple[str, ...]) -> tuple[Thread, ...]:
    placed: list[tuple[datetime, int, Plot]] = []
    for kind, low, high in _PLAN:
        for _ in range(pen.rng.between(low, high)):
            age = 1 + int(pen.rng.unit() ** 1.3 * _SPAN)
            plots = [
                plot for plot in kind(replace(pen, today=pen.today - timedelta(days=age))) if pen.unused(plot.subject)
            ]
            placed += [
                (_begin(pen, age + index * pen.rng.between(1, 6)), len(placed) + index, plot)
                for index, plot in enumerate(plots)
            ]
    placed.sort(key=lambda one: one[:2])
    return tuple(_thread(pen, number, begin, plot, labels) for number, (begin, _, plot) in enumerate(placed, 1))


def _begin(pen: Pen, age: int) -> datetime:
    day = pen.today - timedelta(days=age)
    return datetime(day.year, day.month, day.day) + timedelta(minutes=pen.rng.between(7 * 60, 21 * 60))  # noqa: DTZ001


def _thread(pen: Pen, number: int, begin: datetime, plot: Plot, labels: tuple[str, ...]) -> Thread:
    rng, at = pen.rng, begin
    left = (datetime(pen.today.year, pen.today.month, pen.today.day) - begin).total_seconds() / 60  # noqa: DTZ001
    pace = min(1.0, rng.between(40, 95) / 100 * left / (1 + sum(line.wait for line in plot.lines)))
    messages: list[Message] = []
    for index, line in enumerate(plot.lines, 1):
        at += timedelta(minutes=int(line.wait * pace))
        messages.append(_message(pen.owner, f"m{number}-{index}", line, at.isoformat(timespec="minutes")))
    folder = _folder(rng, plot)
    suiting = [label for label in plot.labels if label in labels]
    return Thread(
        id=f"t{number}",
        topic=plot.topic,
        subject=plot.subject,
        messages=tuple(messages),
        folder=folder,
        unread=rng.chance({"inbox": 0.36, "spam": 0.8, "archive": 0.06}.get(folder, 0.0)),
        starred=folder in ("inbox", "archive") and rng.chance(0.12),
        labels=(rng.pick(suiting),) if suiting and folder not in ("spam", "trash") and rng.chance(0.45) else (),
        details=plot.details,
    )


def _folder(rng: Rng, plot: Plot) -> str:
    if plot.topic == "spam":
        return "spam"
    if all(line.voice is None for line in plot.lines):
        return "sent"
    return rng.weighted((("inbox", 58), ("archive", 34), ("trash", 8)))


def _message(owner: Person, key: str, line: Line, sent: str) -> Message:
    body = _capitals(line.body)
    if line.voice is None:
        return Message(key, owner.name, owner.email, line.to, sent, body, attachments=line.attachments, own=True)
    return Message(
        key,
        line.voice.name,
        line.voice.address,
        (owner.email,),
        sent,
        body,
        cc=line.to,
        attachments=line.attachments,
    )


def _capitals(body: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part[0].upper() + part[1:] for part in body)


def _drafts(pen: Pen) -> tuple[Draft, ...]:
    drafts: list[Draft] = []
    for kind in pen.rng.sample((own.request, own.minutes, own.thanks, own.request, own.thanks), pen.rng.between(3, 4)):
        plot = kind(pen)[0]
        if pen.unused(plot.subject):
            line = plot.lines[0]
            day = pen.today - timedelta(days=pen.rng.between(1, 12))
            saved = f"{day.isoformat()}T{pen.time(8, 20)}"
            to = line.to[0] if len(line.to) == 1 else ""
            drafts.append(Draft(f"d{len(drafts) + 1}", to, plot.subject, "\n\n".join(_capitals(line.body)), saved))
    return tuple(sorted(drafts, key=lambda one: one.saved, reverse=True))


def _rules(rng: Rng, threads: tuple[Thread, ...], labels: tuple[str, ...]) -> tuple[Rule, ...]:
    letters = sorted({one.other.address for one in threads if one.topic == "newsletter"})
    picked = rng.sample(letters, 2)
    return tuple(
        Rule(f"r{index}", "from", address, *(("label", rng.pick(labels)) if index == 1 else ("archive", "")))
        for index, address in enumerate(picked, 1)
    )

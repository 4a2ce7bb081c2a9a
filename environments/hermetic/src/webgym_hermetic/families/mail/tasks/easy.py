"""Templates of tasks with one to three facts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.mail.goals import (
    BlockSender,
    CancelEvent,
    Compare,
    ContactFact,
    CountFrom,
    CountList,
    EndOfList,
    EventFact,
    FinishDraft,
    Mark,
    MessageFact,
    MoveEvent,
    ShowList,
)  # fmt: skip
from webgym_hermetic.families.mail.records import Thread, World
from webgym_hermetic.families.mail.tasks import draw
from webgym_hermetic.families.mail.tasks.texts import mail_texts
from webgym_hermetic.family import Template
from webgym_hermetic.goal import Goal

Made = tuple[Goal, ...] | None


def _find_detail(rng: Rng, world: World) -> Made:
    return draw.sound((draw.detail(rng, world),), world)


def _message_fact(rng: Rng, world: World) -> Made:
    want = rng.pick(("sender", "sent", "file", "size"))

    def fits(thread: Thread) -> bool:
        if want in ("file", "size"):
            return len(thread.attachments) == 1
        told = thread.other.name.split()[0] in thread.subject or thread.other.name in thread.subject
        return thread.folder != "sent" and not (want == "sender" and told)

    threads = draw.pick_threads(rng, world, 1, fits)
    return draw.sound((MessageFact(threads[0].id, want),), world) if threads else None


def _senders(world: World) -> list[str]:
    """Senders with several conversations, who take part in no others."""
    started: dict[str, int] = {}
    wrote: dict[str, int] = {}
    for thread in world.threads:
        started[thread.other.address] = started.get(thread.other.address, 0) + 1
        for address in {one.address for one in thread.messages}:
            wrote[address] = wrote.get(address, 0) + 1
    return [one for one, count in started.items() if count > 1 and wrote[one] == count and one != world.owner.email]


def _list_fact(rng: Rng, world: World) -> Made:
    """About all conversations with somebody, or of a folder."""
    senders = _senders(world)
    kind = rng.below(10)
    if senders and kind < 5:
        end = EndOfList(rng.pick(senders), rng.pick(("newest", "oldest")), rng.pick(("subject", "date")))
        return draw.sound((end,), world)
    if senders and kind < 7:
        return draw.sound((CountFrom(rng.pick(senders)),), world)
    places = ("inbox", "archive", "spam", "sent", *(f"label:{name}" for name in world.labels))
    goal = CountList(rng.pick(places), rng.pick(("unread", "starred", "files")))
    return None if goal.answer(world) == "There are 0 of them." else draw.sound((goal,), world)


def _contact_fact(rng: Rng, world: World) -> Made:
    person = rng.pick(world.people)
    field = rng.pick([one for one in ("phone", "birthday", "company", "city", "role", "email") if getattr(person, one)])
    return draw.sound((ContactFact(person.id, field),), world)


def _event_fact(rng: Rng, world: World) -> Made:
    return draw.sound(
        (EventFact(rng.pick(world.occasions).id, rng.pick(("start", "ends", "location", "reminds"))),), world
    )


def _compare(rng: Rng, world: World) -> Made:
    """Two conversations of one topic."""
    one = rng.pick([thread for thread in world.threads if thread.details])
    alike = [thread for thread in world.threads if thread.topic == one.topic and thread.id != one.id]
    details = [detail for detail in one.details if detail.kind in ("money", "date")]
    if not alike or not details:
        return None
    other, detail = rng.pick(alike), rng.pick(details)
    values = [theirs.value for theirs in other.details if theirs.name == detail.name]
    return draw.sound((Compare(one.id, other.id, detail.name),), world) if values not in ([], [detail.value]) else None


def _label(rng: Rng, world: World) -> Made:
    return draw.sound((draw.mark(rng, world, rng.between(1, 2), (), "label"),), world)


def _tidy(rng: Rng, world: World) -> Made:
    return draw.sound((draw.mark(rng, world, rng.between(2, 3)),), world)


def _rescue(rng: Rng, world: World) -> Made:
    """Out of the trash or the archive, with a label."""
    back = draw.mark(rng, world, 1, (), "inbox")
    if back is None:
        return None
    free = [one for one in world.labels if one not in world.thread(back.threads[0]).labels]
    return draw.sound((back, Mark(back.threads, f"label:{rng.pick(free)}")), world)


def _junk(rng: Rng, world: World) -> Made:
    """Somebody to block, and what they sent to throw away."""

    def fits(thread: Thread) -> bool:
        unwanted = thread.topic in ("spam", "newsletter", "subscription", "sign-in", "club")
        return unwanted and thread.folder != "trash" and thread.other.address not in world.blocked

    threads = draw.pick_threads(rng, world, rng.between(1, 2), fits)
    return draw.sound((BlockSender(threads[0].id), Mark(tuple(one.id for one in threads), "trash")), world)


def _reply(rng: Rng, world: World) -> Made:
    return draw.sound((draw.reply(rng, world),), world)


def _reply_all(rng: Rng, world: World) -> Made:
    return draw.sound((draw.reply(rng, world, group=True),), world)


def _forward(rng: Rng, world: World) -> Made:
    return (draw.forward(rng, world),)


def _relay(rng: Rng, world: World) -> Made:
    return (draw.relay(rng, world),)


def _finish_draft(rng: Rng, world: World) -> Made:
    if not world.drafts:
        return None
    draft = rng.pick(world.drafts)
    return (FinishDraft(draft.id, rng.pick(world.people).email, rng.pick(("high", "low"))),)


def _signature(rng: Rng, world: World) -> Made:
    return (draw.signature(rng, world), draw.preferences(rng, rng.between(1, 2)))


def _preferences(rng: Rng, world: World) -> Made:
    del world
    return (draw.preferences(rng, rng.between(2, 3)),)


def _show_list(rng: Rng, world: World) -> Made:
    place = rng.pick(("archive", "spam", "sent", "trash", *(f"label:{name}" for name in world.labels)))
    sort = rng.pick(("oldest", "sender", "sender_down", "subject"))
    return (ShowList(place, rng.pick(("unread", "starred", "files")), sort),)


def _edit_contact(rng: Rng, world: World) -> Made:
    return (draw.edit_contact(rng, world, rng.between(1, 3)),)


def _move_event(rng: Rng, world: World) -> Made:
    event = rng.pick([one for one in world.occasions if one.date > world.today])
    chosen = rng.sample(("date", "start", "location"), rng.between(1, 3))
    values = {"date": draw.day(rng, world), "start": draw.clock(rng), "location": rng.pick(mail_texts().places)}
    kept = {name: value for name, value in values.items() if name in chosen and value != getattr(event, name)}
    return (MoveEvent(event.id, **kept),) if kept else None


def _cancel_event(rng: Rng, world: World) -> Made:
    return tuple(
        CancelEvent(one.id)
        for one in rng.sample([one for one in world.occasions if one.date > world.today], rng.between(1, 2))
    )


def _rule(rng: Rng, world: World) -> Made:
    return (draw.rule(rng, world),)


def _forwarding(rng: Rng, world: World) -> Made:
    return (draw.forwarding(rng, world),)


EASY = (
    Template("find_detail", range(1, 2), _find_detail),
    Template("message_fact", range(1, 2), _message_fact),
    Template("list_fact", range(1, 2), _list_fact),
    Template("contact_fact", range(1, 2), _contact_fact),
    Template("event_fact", range(1, 2), _event_fact),
    Template("compare", range(1, 2), _compare),
    Template("label", range(1, 3), _label),
    Template("tidy", range(2, 4), _tidy),
    Template("rescue", range(2, 3), _rescue),
    Template("junk", range(2, 4), _junk),
    Template("reply", range(1, 3), _reply),
    Template("reply_all", range(2, 3), _reply_all),
    Template("forward", range(2, 3), _forward),
    Template("relay", range(3, 4), _relay),
    Template("finish_draft", range(3, 4), _finish_draft),
    Template("signature", range(2, 4), _signature),
    Template("preferences", range(2, 4), _preferences),
    Template("show_list", range(3, 4), _show_list),
    Template("edit_contact", range(1, 4), _edit_contact),
    Template("move_event", range(1, 4), _move_event),
    Template("cancel_event", range(1, 3), _cancel_event),
    Template("rule", range(2, 3), _rule),
    Template("forwarding", range(3, 4), _forwarding),
)

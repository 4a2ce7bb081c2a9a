"""Generates the world of a forum from its seed."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import product

from webgym.rng import Rng
from webgym_hermetic.families.forum.communities import BANKS, Bank, bank_of
from webgym_hermetic.families.forum.house import meetups, rules
from webgym_hermetic.families.forum.people import people
from webgym_hermetic.families.forum.phrases import phrases
from webgym_hermetic.families.forum.records import (
    Board,
    Conversation,
    Figure,
    Letter,
    Member,
    Notification,
    Thread,
    World,
)
from webgym_hermetic.families.forum.write import Plan, Scribe, awake, sale_towns
from webgym_hermetic.site import Site

KIND_TAGS = ("question", "help", "for-sale", "show-and-tell", "poll", "off-topic", "guide")
_FIRST_DAY = date(2025, 9, 1)


def world(site: Site) -> World:
    """Everything on the forum, of the seed alone."""
    rng = Rng("forum", site.seed)
    bank = bank_of(BANKS[site.number] if site.number < len(BANKS) else rng.fork("bank").pick(BANKS))
    today = str(_FIRST_DAY + timedelta(days=rng.fork("today").below(300)))
    most_tags, least_title = rng.between(2, 4), rng.pick((8, 10, 12))
    members = people(rng.fork("people"), bank, today)
    tags = tuple(rng.fork("tags").sample(bank.tags, rng.between(8, 12)))
    boards = _boards(rng.fork("boards"), bank)
    threads = _threads(rng.fork("threads"), bank, boards, members, tags, today)
    events = meetups(rng.fork("meetups"), bank, members, today)
    return World(
        bank=bank,
        today=today,
        me=members[0],
        boards=boards,
        members=members,
        threads=threads,
        meetups=events,
        rules=rules(rng.fork("rules"), most_tags, least_title),
        conversations=_conversations(rng.fork("letters"), bank, members, today),
        notifications=_notifications(rng.fork("notifications"), threads, members, today),
        tags=(*KIND_TAGS, *tags),
        most_tags=most_tags,
        least_title=least_title,
        page_size=rng.pick((8, 10, 12)),
        list_size=rng.pick((10, 12, 15)),
        board_of={board.slug: board for board in boards},
        member_of={member.handle: member for member in members},
        thread_of={thread.id: thread for thread in threads},
        meetup_of={event.id: event for event in events},
    )


def _boards(rng: Rng, bank: Bank) -> tuple[Board, ...]:
    kept = {topic.slug for topic in rng.sample(bank.topics, rng.between(3, 5))}
    topical = [Board(topic.slug, topic.name, topic.about, topic.icon) for topic in bank.topics if topic.slug in kept]
    common = [
        Board("market", bank.market, "Offers from members to members", "tag"),
        Board("showcase", bank.showcase, "Show what you made and how", "award"),
        Board("lounge", bank.lounge, "Everything else, with your feet up", "coffee"),
    ]
    if rng.chance(0.5):
        common.append(Board("notices", "Announcements", "News from the team", "megaphone"))
    return (*topical, *common)


def _threads(
    rng: Rng, bank: Bank, boards: tuple[Board, ...], members: tuple[Member, ...], tags: tuple[str, ...], today: str
) -> tuple[Thread, ...]:
    now = datetime.fromisoformat(f"{today} 09:00")
    scribe = Scribe(rng, bank, members, tags, now)
    plans = _plans(rng, scribe, bank, {board.slug for board in boards})
    numbers = sorted(rng.sample(range(1200, 9800), len(plans)))
    mine = {index for index, plan in enumerate(plans) if plan.kind in ("figure", "trouble")}
    mine = set(rng.sample(sorted(mine), 5))
    written = [
        scribe.thread(rng.fork(number), plan, str(number), members[0] if index in mine else None)
        for index, (plan, number) in enumerate(zip(plans, numbers, strict=True))
    ]
    return tuple(written)


def _plans(rng: Rng, scribe: Scribe, bank: Bank, slugs: set[str]) -> list[Plan]:
    plans: list[Plan] = []
    topics = [topic for topic in bank.topics if topic.slug in slugs]
    duels = rng.shuffled(bank.duels)
    for topic in topics:
        asked = rng.sample(
            [(one, thing) for one in topic.measures for thing in one.things or topic.things], rng.between(8, 12)
        )
        plans += [scribe.figure(rng.fork(topic.slug, *pair), topic, *pair) for pair in asked]
        failed = rng.sample(
            [(one, thing) for one in topic.troubles for thing in one.things or topic.things], rng.between(4, 6)
        )
        plans += [scribe.trouble(rng.fork(topic.slug, *pair), topic, *pair) for pair in failed]
        if duels:
            plans.append(scribe.duel(rng.fork("duel", topic.slug), duels.pop(), topic.slug))
    wares = [ware for ware in bank.wares for _ in range(2)]
    towns = sale_towns(rng, len(wares))
    sales = rng.sample(list(zip(wares, towns, strict=True)), rng.between(11, 15))
    plans += [scribe.sale(rng.fork("sale", town), ware, town) for ware, town in sales]
    made = rng.sample(list(product(bank.projects, bank.materials)), rng.between(10, 14))
    plans += [scribe.project(rng.fork("project", *pair), *pair) for pair in made]
    plans += [
        scribe.chat(rng.fork("chat", title), title, text)
        for title, text in rng.sample(phrases().chat, rng.between(6, 9))
    ]
    plans += [scribe.monthly(rng.fork("monthly", back // 3, "row"), back % 3) for back in range(3)]
    plans += [scribe.duel(rng.fork("duel", duel.title), duel, "lounge") for duel in duels[:2]]
    home = "notices" if "notices" in slugs else "lounge"
    plans += [scribe.notice(rng.fork("notice", title), home, title) for title in bank.guides]
    by_title = {plan.title: plan for plan in plans}
    return rng.shuffled(tuple(by_title.values()))


def _conversations(rng: Rng, bank: Bank, members: tuple[Member, ...], today: str) -> tuple[Conversation, ...]:
    now = datetime.fromisoformat(f"{today} 02:00")
    others = rng.sample(members[1:], 7)
    numbers = sorted(rng.sample(range(101, 990), 7))
    wares = rng.sample(bank.wares, 7)
    made: list[Conversation] = []
    for index, form in enumerate(rng.shuffled(phrases().letters)):
        subject, first, what, shape, second, other_what, other_shape = form
        one, two = rng.sample(range(3, 48), 2)
        ware, other = wares[index % len(wares)][0], others[index].handle
        at = now - timedelta(hours=rng.between(3, 30) + 40 * index)
        said = [
            Letter(other, "", first.format(a=one, ware=ware), (Figure(what, one, shape),)),
            Letter(members[0].handle, "", rng.pick(phrases().letter_chat)),
            Letter(other, "", second.format(b=two, ware=ware), (Figure(other_what, two, other_shape),)),
        ]
        if rng.chance(0.5):
            said.append(Letter(members[0].handle, "", rng.pick(phrases().letter_chat)))
        letters = tuple(
            Letter(letter.author, awake(at + timedelta(minutes=37 * step)), letter.text, letter.figures)
            for step, letter in enumerate(said)
        )
        made.append(Conversation(str(numbers[index]), subject.format(ware=ware), other, letters))
    return tuple(made)


def _notifications(
    rng: Rng, threads: tuple[Thread, ...], members: tuple[Member, ...], today: str
) -> tuple[Notification, ...]:
    at = datetime.fromisoformat(f"{today} 01:30")
    made: list[Notification] = []
    for index, thread in enumerate(rng.sample(threads, 9)):
        who = rng.pick(members[1:]).handle
        icon, text = rng.pick(
            (
                ("reply", f"replied in “{thread.title}”"),
                ("thumbs-up", f"liked your post in “{thread.title}”"),
                ("at-sign", f"mentioned you in “{thread.title}”"),
                ("quote", f"quoted you in “{thread.title}”"),
            )
        )
        made.append(Notification(str(index + 1), icon, who, text, thread.path, awake(at)))
        at -= timedelta(minutes=rng.between(35, 1300))
    return tuple(made)

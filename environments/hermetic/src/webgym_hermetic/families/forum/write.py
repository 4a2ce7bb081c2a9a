"""Threads as people would write them, from the words of their community."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from webgym.rng import Rng
from webgym_hermetic.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble
from webgym_hermetic.families.forum.people import member_words
from webgym_hermetic.families.forum.phrases import phrases
from webgym_hermetic.families.forum.records import Figure, Member, Poll, Post, Thread

_LONGEST = 25
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


class Say(NamedTuple):
    """What a post says."""

    text: str
    figures: tuple[Figure, ...] = ()
    cause: str = ""


class Plan(NamedTuple):
    """A thread to be written: the first post and how replies are made."""

    board: str
    title: str
    kind: str
    opening: Say
    reply: Callable[[int], Say]
    tag: str
    poll: Poll | None = None
    pinned: bool = False


class Scribe:
    """Writes the threads of one forum."""

    def __init__(self, rng: Rng, bank: Bank, members: tuple[Member, ...], tags: tuple[str, ...], now: datetime) -> None:
        self._rng = rng
        self._bank = bank
        self._members = members
        self._tags = tags
        self._now = now

    def figure(self, rng: Rng, topic: Topic, measure: Measure, thing: str) -> Plan:
        """A question that people answer with numbers, each with another one."""
        values = rng.shuffled(measure.values)
        lines = _Lines(rng, self._bank)
        sayings = rng.shuffled(phrases().figure)

        def reply(index: int) -> Say:
            if index < len(values) - 1 and (index < 2 or rng.chance(0.62)):
                figure = Figure(measure.what, values[index], measure.form)
                return Say(lines.around(_start(sayings[index].format(value=figure.text))), (figure,))
            return Say(lines.some())

        asked, *rest = rng.sample(phrases().ask, 3)
        opening = Say(f"I am after the {measure.what} for {thing}. {asked}\n\n{' '.join(rest)}")
        return Plan(topic.slug, _start(measure.ask.format(thing=thing)), "figure", opening, reply, "question")

    def trouble(self, rng: Rng, topic: Topic, trouble: Trouble, thing: str) -> Plan:
        """Something went wrong; people blame different things for it."""
        causes = rng.shuffled(trouble.causes)
        lines = _Lines(rng, self._bank)
        sayings = rng.shuffled(phrases().blame)

        def reply(index: int) -> Say:
            if index < len(causes) and (index < 2 or rng.chance(0.7)):
                return Say(lines.around(sayings[index].format(cause=causes[index])), cause=causes[index])
            return Say(lines.some())

        opening = Say(f"{trouble.detail} {' '.join(rng.sample(phrases().worry, 2))}\n\nAny ideas what is to blame?")
        return Plan(topic.slug, _start(trouble.title.format(thing=thing)), "trouble", opening, reply, "help")

    def sale(self, rng: Rng, ware: tuple[str, int, int], town: str) -> Plan:
        """Something for sale, and what people offer for it."""
        name, low, high = ware
        price, postage = rng.between(low, high), rng.between(4, 19)
        offers = rng.sample([price - cut for cut in range(2, max(4, price // 3)) if price - cut != postage], 3)
        lines = _Lines(rng, self._bank, phrases().sale_chat)

        def reply(index: int) -> Say:
            if index < len(offers) and rng.chance(0.5):
                return Say(
                    rng.pick(phrases().offer).format(price=offers[index]), (Figure("offer", offers[index], "${}"),)
                )
            return Say(lines.one())

        text = (
            f"{rng.pick(phrases().sell).format(ware=name, condition=rng.pick(phrases().conditions))}\n\n"
            f"Asking ${price}. Pick-up in {town}, or I can post it for ${postage}."
        )
        figures = (Figure("asking price", price, "${}"), Figure("postage", postage, "${}"))
        return Plan("market", f"For sale: {name}, {town}", "sale", Say(text, figures), reply, "for-sale")

    def project(self, rng: Rng, project: str, material: str) -> Plan:
        """Something that somebody made."""
        cost, weekends = rng.between(18, 640), rng.between(2, 17)
        lines = _Lines(rng, self._bank, phrases().praise)
        text = (
            f"{rng.pick(phrases().show).format(project=project)} Made with {material}, mostly.\n\n"
            f"It took {weekends} weekends and cost ${cost} in total. {lines.own()}"
        )
        joiner = "with" if self._bank.key == "cycling" else "from"
        figures = (Figure("total cost", cost, "${}"), Figure("number of weekends", weekends, "{} weekends"))
        title = (
            f"{_start(project)} {joiner} {material}" if rng.chance(0.5) else f"Finished: {project} {joiner} {material}"
        )
        return Plan("showcase", title, "project", Say(text, figures), lines.reply, "show-and-tell")

    def duel(self, rng: Rng, duel: Duel, board: str) -> Plan:
        """A question with a poll."""
        votes = tuple(rng.sample(range(3, 78), len(duel.options)))
        poll = Poll(duel.options, votes, str((self._now + timedelta(days=rng.between(5, 40))).date()))
        lines = _Lines(rng, self._bank)

        def reply(_: int) -> Say:
            return Say(f"{rng.pick(duel.options)}. {lines.some()}")

        opening = Say(f"Simple question, simple poll. {lines.own()} Tell us why below.")
        return Plan(board, duel.title, "poll", opening, reply, "poll", poll)

    def chat(self, rng: Rng, title: str, text: str) -> Plan:
        """People passing the time."""
        lines = _Lines(rng, self._bank, phrases().chatty)
        return Plan("lounge", title, "chat", Say(text), lines.reply, "off-topic")

    def monthly(self, rng: Rng, back: int) -> Plan:
        """One of a row of threads that differ in their month."""
        month = _MONTHS[(self._now.month - 1 - back) % 12]
        title, text = rng.pick(phrases().monthly).format(month=month), rng.pick(phrases().monthly_text)
        return self.chat(rng, title, text)

    def notice(self, rng: Rng, board: str, title: str) -> Plan:
        """Something of the team's, kept at the top."""
        lines = _Lines(rng, self._bank)
        text = " ".join(rng.sample(phrases().notice, 3))
        return Plan(board, title, "notice", Say(text), lines.reply, "guide", pinned=True)

    def thread(self, rng: Rng, plan: Plan, number: str, author: Member | None = None) -> Thread:
        """Let a plan happen: who wrote when, and what others thought of it."""
        length = _length(rng, plan.kind)
        if author is not None:
            length = max(length, 6)
        notice = plan.kind == "notice"
        people = rng.sample(self._members[1:], min(length, _LONGEST))
        asker = author or (rng.pick(self._members[1:4]) if notice else people[0])
        people = [asker, *(one for one in people if one.handle != asker.handle)][:length]
        at = self._now - timedelta(minutes=int((rng.unit() ** 1.6) * 60 * 24 * 420) + 200)
        posts: list[Post] = []
        for index, person in enumerate(people):
            say = plan.opening if index == 0 else plan.reply(index - 1)
            quote = posts[rng.below(index - 1) + 1].id if index > 2 and rng.chance(0.14) else ""
            votes = rng.between(0, 60) if index == 0 else rng.below(1 + rng.below(25))
            posts.append(
                Post(f"{number}-{index + 1}", person.handle, awake(at), say.text, votes, quote, say.figures, say.cause)
            )
            gap = min((self._now - at).total_seconds() / 60 * 0.3, 60 * 24 * 9)
            at += timedelta(minutes=1 + int(gap * rng.unit() ** 2))
        accepted = "" if author else self._accept(rng, plan, posts)
        if accepted and len(posts) < _LONGEST and rng.chance(0.6):
            posts.append(self._thanks(rng, posts, accepted, awake(at)))
        return Thread(
            id=number,
            board=plan.board,
            title=plan.title,
            author=posts[0].author,
            tags=(plan.tag, *(tag for tag in rng.sample(self._tags, rng.between(0, 2)) if tag != plan.tag)),
            posts=tuple(posts),
            kind=plan.kind,
            views=len(posts) * rng.between(9, 40) + rng.between(5, 80),
            pinned=plan.pinned,
            locked=plan.kind in ("notice", "chat", "sale") and rng.chance(0.22),
            accepted=accepted,
            poll=plan.poll,
        )

    def _accept(self, rng: Rng, plan: Plan, posts: list[Post]) -> str:
        answers = [post for post in posts[1:] if post.cause or (post.figures and plan.kind == "figure")]
        return rng.pick(answers).id if answers and rng.chance(0.55) else ""

    def _thanks(self, rng: Rng, posts: list[Post], accepted: str, at: str) -> Post:
        author = next(post.author for post in posts if post.id == accepted)
        text = rng.pick(phrases().solved).format(name=author)
        return Post(f"{posts[0].id.partition('-')[0]}-{len(posts) + 1}", posts[0].author, at, text, rng.below(6))


class _Lines:
    """Remarks, none of them twice in a thread if it can be helped."""

    def __init__(self, rng: Rng, bank: Bank, special: tuple[str, ...] = ()) -> None:
        self._rng = rng
        self._own = bank.lines
        pool = special or phrases().fillers
        self._lines = rng.shuffled((*pool, *bank.lines))
        self._at = 0

    def one(self) -> str:
        self._at += 1
        return self._lines[self._at % len(self._lines)]

    def own(self) -> str:
        return self._rng.pick(self._own)

    def reply(self, index: int) -> Say:
        """Whatever people say."""
        del index
        return Say(self.some())

    def some(self) -> str:
        return " ".join(self.one() for _ in range(self._rng.between(1, 3)))

    def around(self, text: str) -> str:
        match self._rng.below(4):
            case 0:
                return text
            case 1:
                return f"{self.one()} {text}"
            case 2:
                return f"{text} {self.one()} {self.one()}"
            case _:
                return f"{text} {self.one()}"


def _start(text: str) -> str:
    return text[:1].upper() + text[1:]


def awake(at: datetime) -> str:
    """Its time of day pressed into the hours between seven and eleven."""
    minute = 420 + (at.hour * 60 + at.minute) * 2 // 3
    return f"{at:%Y-%m-%d} {minute // 60:02d}:{minute % 60:02d}"


def _length(rng: Rng, kind: str) -> int:
    if rng.chance(0.1):
        return 1 if kind != "figure" or rng.chance(0.4) else 2
    if rng.chance(0.1):
        return rng.between(14, _LONGEST)
    return rng.between(3, 10) if kind in ("figure", "trouble", "poll") else rng.between(2, 8)


def sale_towns(rng: Rng, count: int) -> list[str]:
    """Different places to pick something up."""
    return rng.sample(member_words().towns, count)

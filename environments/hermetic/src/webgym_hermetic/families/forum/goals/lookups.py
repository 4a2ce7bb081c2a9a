"""Things to find out elsewhere: profiles, rules, meetups, messages, polls."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Literal

from webgym_hermetic.answers import says_date, says_number, says_text
from webgym_hermetic.families.forum.goals.base import Question, says_time
from webgym_hermetic.families.forum.goals.ways import find, go, look, to_thread
from webgym_hermetic.families.forum.records import Conversation, Figure, Rule, World
from webgym_hermetic.goal import Fact
from webgym_hermetic.view import Intent, View

ProfileField = Literal["joined", "location", "posts", "reputation", "gear"]
_WORDLET = 4
"""Options as short as "No" or "Both" may stand in any answer."""
MeetupField = Literal["venue", "host", "fee", "start", "date", "spots"]


class ReadProfile(Question, frozen=True):
    """Something in a member's profile."""

    member: str
    field: ProfileField
    claim: str = ""

    def _what(self, world: World) -> str:
        if self.field == "gear":
            return f"“{world.bank.gear_label}” entry in the profile"
        return {
            "joined": "joining date",
            "location": "location",
            "posts": "number of posts",
            "reputation": "reputation",
        }[self.field]

    def _value(self, world: World) -> str:
        return str(getattr(world.member_of[self.member], self.field))

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (Fact(self.field, f"The answer gives the {self._what(world)} of {self.member}: {self._value(world)}."),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        value = self._value(world)
        match self.field:
            case "joined":
                return says_date(answer, value)
            case "posts" | "reputation":
                other = (
                    world.member_of[self.member].reputation
                    if self.field == "posts"
                    else world.member_of[self.member].posts
                )
                return says_number(answer, int(value), rivals=() if other == int(value) else (other,))
            case _:
                return says_text(answer, value)

    def next(self, view: View) -> Intent | None:
        path = f"/member/{self.member}"
        if view.visited(path) and view.path != path:
            return None
        return find(view, path, self.member) or look(view, f"fact:{self.field}")

    def spoil(self, fact: str, world: World) -> ReadProfile:
        own = self._value(world)
        other = next(value for one in reversed(world.members) if (value := str(getattr(one, self.field))) != own)
        return ReadProfile(self.member, self.field, other)

    def clauses(self, world: World) -> tuple[str, ...]:
        what, name = self._what(world), self.member
        return (
            f"find the profile of the member {name} and tell me the {what}",
            f"look up the {what} of {name}",
            f"open {name}'s profile and report the {what}",
            f"tell me the {what} shown for the member {name}",
        )

    def answer(self, world: World) -> str:
        return f"For {self.member} the {self._what(world)} is {self.claim or self._value(world)}."

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/member/{self.member}",)


class ReadRule(Question, frozen=True):
    """A number in the house rules."""

    rule: str
    claim: int = -1

    def _rule(self, world: World) -> Rule:
        return next(rule for rule in world.rules if rule.id == self.rule)

    def facts(self, world: World) -> tuple[Fact, ...]:
        rule = self._rule(world)
        return (Fact("number", f"The answer says {rule.question}: {rule.value} {rule.unit}."),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        return says_number(answer, self._rule(world).value)

    def next(self, view: View) -> Intent | None:
        path = _section(self._rule(view.world).section)
        if view.visited(path) and view.path != path:
            return None
        return go(view, path, "/rules") or look(view, f"rule:{self.rule}")

    def spoil(self, fact: str, world: World) -> ReadRule:
        return ReadRule(self.rule, self._rule(world).value * 2 + 1)

    def clauses(self, world: World) -> tuple[str, ...]:
        question = self._rule(world).question
        return (
            f"check the rules and tell me {question}",
            f"find out from the rules {question}",
            f"look into the rules and FAQ and report {question}",
            f"tell me {question} according to the rules of the site",
        )

    def answer(self, world: World) -> str:
        rule = self._rule(world)
        return f"The rules say {rule.value if self.claim < 0 else self.claim} {rule.unit}."

    def places(self, world: World) -> tuple[str, ...]:
        return (_section(self._rule(world).section),)


def _section(name: str) -> str:
    return f"/rules/{name.lower()}"


class ReadMeetup(Question, frozen=True):
    """Something about a meetup."""

    meetup: str
    field: MeetupField
    claim: str = ""

    def _value(self, world: World) -> str:
        return str(getattr(world.meetup_of[self.meetup], self.field))

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.meetup_of[self.meetup].title
        return (
            Fact(self.field, f"The answer gives the {_MEETUP_WORDS[self.field]} of “{title}”: {self._value(world)}."),
        )

    def said(self, fact: str, world: World, answer: str) -> bool:
        value, meetup = self._value(world), world.meetup_of[self.meetup]
        match self.field:
            case "fee":
                return says_number(answer, int(value))
            case "spots":
                return says_number(answer, int(value), rivals=(meetup.going,))
            case "date":
                return says_date(answer, value)
            case "start":
                return says_time(answer, value)
            case _:
                return says_text(answer, value)

    def next(self, view: View) -> Intent | None:
        path = world_path = view.world.meetup_of[self.meetup].path
        if view.visited(world_path) and view.path != path:
            return None
        return go(view, path, "/events") or look(view, f"fact:{self.field}")

    def spoil(self, fact: str, world: World) -> ReadMeetup:
        own = self._value(world)
        wrong = {
            "fee": str(int(own) + 3) if own.isdecimal() else "",
            "spots": str(int(own) + 5) if own.isdecimal() else "",
        }.get(self.field, "")
        other = next((value for one in world.meetups if (value := str(getattr(one, self.field))) != own), "unknown")
        return ReadMeetup(self.meetup, self.field, wrong or other)

    def clauses(self, world: World) -> tuple[str, ...]:
        what, title = _MEETUP_WORDS[self.field], world.meetup_of[self.meetup].title
        return (
            f"find the meetup “{title}” and tell me the {what}",
            f"look up the {what} of the meetup “{title}”",
            f"go to the meetups, open “{title}” and report the {what}",
            f"tell me the {what} given for the event “{title}”",
        )

    def answer(self, world: World) -> str:
        value = self.claim or self._value(world)
        return f"The {_MEETUP_WORDS[self.field]} is {f'${value}' if self.field == 'fee' else value}."

    def places(self, world: World) -> tuple[str, ...]:
        return (world.meetup_of[self.meetup].path,)


_MEETUP_WORDS: dict[str, str] = {
    "venue": "venue",
    "host": "host",
    "fee": "fee",
    "start": "starting time",
    "date": "date",
    "spots": "total number of places",
}


class ReadLetter(Question, frozen=True):
    """A figure in a private message."""

    conversation: str
    letter: int
    claim: str = ""

    def _talk(self, world: World) -> Conversation:
        return next(one for one in world.conversations if one.id == self.conversation)

    def _figure(self, world: World) -> Figure:
        return self._talk(world).letters[self.letter].figures[0]

    def _rivals(self, world: World) -> tuple[float, ...]:
        own = self._figure(world).value
        return tuple(figure.value for one in self._talk(world).letters for figure in one.figures if figure.value != own)

    def facts(self, world: World) -> tuple[Fact, ...]:
        talk, figure = self._talk(world), self._figure(world)
        return (
            Fact("figure", f"The answer gives the {figure.what} from the message “{talk.subject}”: {figure.text}."),
        )

    def said(self, fact: str, world: World, answer: str) -> bool:
        return says_number(answer, self._figure(world).value, rivals=self._rivals(world))

    def next(self, view: View) -> Intent | None:
        path = self._talk(view.world).path
        if view.visited(path) and view.path != path:
            return None
        return go(view, path, "/messages") or look(view, f"letter:{self.letter}")

    def spoil(self, fact: str, world: World) -> ReadLetter:
        return ReadLetter(self.conversation, self.letter, f"{self._figure(world).value + 51:g}")

    def clauses(self, world: World) -> tuple[str, ...]:
        talk, what = self._talk(world), self._figure(world).what
        return (
            f"check my private messages with {talk.other} and tell me the {what} mentioned in “{talk.subject}”",
            f"open the private conversation “{talk.subject}” with {talk.other} and report the {what}",
            f"look up the {what} that {talk.other} sent me in the message “{talk.subject}”",
            f"tell me which {what} {talk.other} wrote to me in “{talk.subject}”",
        )

    def answer(self, world: World) -> str:
        figure = self._figure(world)
        return f"The {figure.what} is {figure.form.format(self.claim or figure.number)}."

    def places(self, world: World) -> tuple[str, ...]:
        return (self._talk(world).path,)


class ReadPoll(Question, frozen=True):
    """Which option leads a poll, or how many votes an option has."""

    thread: str
    option: str = ""
    """Empty: which one leads."""
    claim: str = ""

    def _leader(self, world: World) -> str:
        poll = world.thread_of[self.thread].poll
        assert poll is not None  # noqa: S101
        return max(zip(poll.votes, poll.options, strict=True))[1]

    def _votes(self, world: World, option: str) -> int:
        poll = world.thread_of[self.thread].poll
        assert poll is not None  # noqa: S101
        return poll.votes[poll.options.index(option)]

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.thread_of[self.thread].title
        if self.option:
            return (
                Fact(
                    "votes",
                    f"“{self.option}” has {self._votes(world, self.option)} votes in the poll “{title}”.",
                ),
            )
        return (Fact("leader", f"The answer says that “{self._leader(world)}” leads the poll “{title}”."),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        poll = world.thread_of[self.thread].poll
        assert poll is not None  # noqa: S101
        if self.option:
            votes = self._votes(world, self.option)
            return says_number(answer, votes, rivals=tuple(one for one in poll.votes if one != votes))
        leader = self._leader(world)
        return says_text(
            answer, leader, rivals=tuple(one for one in poll.options if one != leader and len(one) > _WORDLET)
        )

    def next(self, view: View) -> Intent | None:
        path = f"/thread/{self.thread}"
        if view.visited(path) and view.path != path:
            return None
        return to_thread(view, self.thread) or look(view, "fact:poll")

    def spoil(self, fact: str, world: World) -> ReadPoll:
        poll = world.thread_of[self.thread].poll
        assert poll is not None  # noqa: S101
        if self.option:
            return ReadPoll(self.thread, self.option, str(self._votes(world, self.option) + 100))
        return ReadPoll(self.thread, "", next(one for one in poll.options if one != self._leader(world)))

    def clauses(self, world: World) -> tuple[str, ...]:
        title = world.thread_of[self.thread].title
        if self.option:
            return (
                f"tell me how many votes “{self.option}” has in the poll “{title}”",
                f"look at the poll in “{title}” and report the number of votes for “{self.option}”",
                f"find out how many people voted for “{self.option}” in the poll of the thread “{title}”",
                f"open “{title}” and say how many votes the option “{self.option}” got",
            )
        return (
            f"tell me which option leads the poll “{title}”",
            f"look at the poll in “{title}” and report the option with the most votes, and only that one",
            f"find out which answer is ahead in the poll of the thread “{title}”",
            f"open “{title}” and name the most popular option of its poll",
        )

    def answer(self, world: World) -> str:
        if self.option:
            return f"That option has {self.claim or self._votes(world, self.option)} votes."
        return f"In the lead is {self.claim or self._leader(world)}."

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)

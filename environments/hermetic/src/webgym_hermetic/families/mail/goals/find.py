"""Things to find out in messages."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any, Literal

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.records import Detail, DetailKind, Thread, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class FindDetail(Goal, frozen=True):
    """What a conversation says about something."""

    thread: str
    detail: str
    claim: str = ""
    """What is answered instead of the truth."""

    def _detail(self, world: World) -> Detail:
        return next(one for one in world.thread(self.thread).details if one.name == self.detail)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        detail = self._detail(world)
        said = saying.spoken(detail.kind, detail.value)
        return (Fact("answer", f"The answer gives {detail.ask} in {saying.called(world, self.thread)} as {said}."),)

    def holds(self, fact: str, end: End) -> bool:
        detail = self._detail(end.world)
        rivals = saying.rivals_of(end.world, end.world.thread(self.thread), self.detail)
        return saying.says(end.answer, detail.kind, detail.value, rivals)

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/thread/{self.thread}") else steps.to_thread(view, self.thread)

    def spoil(self, fact: str, world: Any) -> Goal:
        detail = self._detail(world)
        rivals = saying.rivals_of(world, world.thread(self.thread), self.detail)
        return msgspec.structs.replace(self, claim=saying.other_value(detail.kind, detail.value, rivals))

    def clauses(self, world: Any) -> tuple[str, ...]:
        what, ask = saying.called(world, self.thread), self._detail(world).ask
        return (
            f"find {what} and tell me {ask}",
            f"look up {ask} in {what}",
            f"tell me {ask} according to {what}",
            f"check {what} and report {ask}",
        )

    def answer(self, world: Any) -> str:
        detail = self._detail(world)
        said = saying.spoken(detail.kind, self.claim or detail.value)
        return f"{detail.ask[0].upper()}{detail.ask[1:]}: {said}."


class MessageFact(Goal, frozen=True):
    """What stands above or below the text of a message: its sender, its date, its attachment."""

    thread: str
    want: Literal["sender", "sent", "file", "size"]
    claim: str = ""

    def _kind(self) -> DetailKind:
        return "date" if self.want == "sent" else "text"

    def _value(self, thread: Thread) -> str:
        match self.want:
            case "sender":
                return thread.other.name
            case "sent":
                return thread.messages[0].sent[:10]
            case "file":
                return thread.attachments[0].name
            case "size":
                return thread.attachments[0].size

    def _rivals(self, world: World) -> tuple[str, ...]:
        """What other messages have, the likes of this one first."""
        mine = world.thread(self.thread)
        value, name = self._value(mine), mine.other.name
        others = [one for one in world.threads if one.attachments or self.want not in ("file", "size")]
        others.sort(key=lambda one: (one.topic != mine.topic, one.other.name.split()[0] != name.split()[0]))
        found = dict.fromkeys(self._value(one) for one in others if one.id != mine.id)
        near = tuple(one for one in found if one != value)
        return near[:6] if self.want in ("sender", "sent") else near

    def _asked(self) -> str:
        return {
            "sender": "the full name of its sender",
            "sent": "the date on which it was sent",
            "file": "the file name of its attachment",
            "size": "the size of the attached file",
        }[self.want]

    def _called(self, world: World) -> str:
        if self.want == "sender":
            return f'the message "{world.thread(self.thread).subject}"'
        return saying.called(world, self.thread)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        value = saying.spoken(self._kind(), self._value(world.thread(self.thread)))
        return (Fact("answer", f"The answer gives {self._asked()} for {self._called(world)}: {value}."),)

    def holds(self, fact: str, end: End) -> bool:
        value = self._value(end.world.thread(self.thread))
        return saying.says(end.answer, self._kind(), value, self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/thread/{self.thread}") else steps.to_thread(view, self.thread)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, claim=self._rivals(world)[0])

    def clauses(self, world: Any) -> tuple[str, ...]:
        what, asked = self._called(world), self._asked()
        return (
            f"find {what} and tell me {asked}",
            f"open {what} and report {asked}",
            f"look for {what} and say {asked}",
            f"look at {what} and answer with {asked}",
        )

    def answer(self, world: Any) -> str:
        value = self.claim or self._value(world.thread(self.thread))
        return f"{saying.capital(self._asked())}: {saying.spoken(self._kind(), value)}"


class Compare(Goal, frozen=True):
    """Which of two conversations has the larger amount or the later date."""

    one: str
    other: str
    detail: str
    claim: str = ""

    def _details(self, world: World) -> tuple[Detail, Detail]:
        pair = [next(d for d in world.thread(key).details if d.name == self.detail) for key in (self.one, self.other)]
        return pair[0], pair[1]

    def _winner(self, world: World) -> str:
        one, other = self._details(world)
        if one.kind == "date":
            return self.one if one.value > other.value else self.other
        return self.one if float(one.value) > float(other.value) else self.other

    def _question(self, world: World) -> str:
        detail = self._details(world)[0]
        more = "later" if detail.kind == "date" else "higher"
        return f"{detail.ask} is {more}"

    def facts(self, world: Any) -> tuple[Fact, ...]:
        subject = world.thread(self._winner(world)).subject
        return (
            Fact("answer", f'The answer names "{subject}" as the one of the two in which {self._question(world)}.'),
        )

    def holds(self, fact: str, end: End) -> bool:
        winner = self._winner(end.world)
        loser = self.other if winner == self.one else self.one
        subjects = end.world.thread(winner).subject, end.world.thread(loser).subject
        return saying.says(end.answer, "text", subjects[0], (subjects[1],))

    def next(self, view: View) -> Intent | None:
        for key in (self.one, self.other):
            if not view.visited(f"/thread/{key}"):
                return steps.to_thread(view, key)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, claim=self.other if self._winner(world) == self.one else self.one)

    def clauses(self, world: Any) -> tuple[str, ...]:
        one, other = (world.thread(key) for key in (self.one, self.other))
        names = f'"{one.subject}" ({one.other.name}) and "{other.subject}" ({other.other.name})'
        question = self._question(world)
        return (
            f"compare the messages {names} and tell me the subject of the one in which {question}",
            f"look at {names} and answer with the subject of the one in which {question}",
            f"find out in which of {names} {question}, and answer with just that subject",
            f"open {names} and name the subject of the one where {question}",
        )

    def answer(self, world: Any) -> str:
        return f'It is "{world.thread(self.claim or self._winner(world)).subject}".'

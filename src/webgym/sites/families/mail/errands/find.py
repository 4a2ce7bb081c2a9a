"""Things to find out in messages."""

from __future__ import annotations

from typing import Any

import msgspec

from webgym.sites.errand import End, Errand, Fact
from webgym.sites.families.mail.errands import saying, steps
from webgym.sites.families.mail.records import Detail, World
from webgym.sites.view import Intent, View


class FindDetail(Errand, frozen=True):
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

    def spoil(self, fact: str, world: Any) -> Errand:
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


class WhoSent(Errand, frozen=True):
    """Who wrote a message."""

    thread: str
    claim: str = ""

    def _rivals(self, world: World) -> tuple[str, ...]:
        mine = world.thread(self.thread)
        name = mine.other.name
        near = [one.other.name for one in world.threads if one.topic == mine.topic]
        same = [one.name for one in world.people if one.name.split()[0] == name.split()[0]]
        return tuple(dict.fromkeys(one for one in (*same, *near) if one != name))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        thread = world.thread(self.thread)
        return (Fact("answer", f'The answer names {thread.other.name} as the sender of "{thread.subject}".'),)

    def holds(self, fact: str, end: End) -> bool:
        name = end.world.thread(self.thread).other.name
        return saying.says(end.answer, "text", name, self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/thread/{self.thread}") else steps.to_thread(view, self.thread)

    def spoil(self, fact: str, world: Any) -> Errand:
        rivals = self._rivals(world)
        name = world.thread(self.thread).other.name
        other = next(one.name for one in world.people if one.name != name)
        return msgspec.structs.replace(self, claim=rivals[0] if rivals else other)

    def clauses(self, world: Any) -> tuple[str, ...]:
        subject = world.thread(self.thread).subject
        return (
            f'tell me who sent the message with the subject "{subject}"',
            f'find the message "{subject}" and say by whom it was sent (full name)',
            f'look up the full name of the sender of "{subject}"',
            f'find out who started the conversation "{subject}"',
        )

    def answer(self, world: Any) -> str:
        return f"It was sent by {self.claim or world.thread(self.thread).other.name}."


class FindFile(Errand, frozen=True):
    """The name or the size of an attachment."""

    thread: str
    want: str
    """name or size."""
    claim: str = ""

    def _value(self, world: World, thread: str) -> str:
        file = world.thread(thread).attachments[0]
        return file.name if self.want == "name" else file.size

    def _rivals(self, world: World) -> tuple[str, ...]:
        value = self._value(world, self.thread)
        files = [file for one in world.threads for file in one.attachments]
        found = [file.name if self.want == "name" else file.size for file in files]
        return tuple(dict.fromkeys(one for one in found if one != value))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        value = self._value(world, self.thread)
        text = (
            f"The answer gives the {self.want} of the file attached to {saying.called(world, self.thread)} as {value}."
        )
        return (Fact("answer", text),)

    def holds(self, fact: str, end: End) -> bool:
        return saying.says(end.answer, "text", self._value(end.world, self.thread), self._rivals(end.world))

    def next(self, view: View) -> Intent | None:
        return None if view.visited(f"/thread/{self.thread}") else steps.to_thread(view, self.thread)

    def spoil(self, fact: str, world: Any) -> Errand:
        return msgspec.structs.replace(self, claim=self._rivals(world)[0])

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = saying.called(world, self.thread)
        asked = "the file name of the attachment" if self.want == "name" else "the size of the attached file"
        return (
            f"tell me {asked} of {what}",
            f"open {what} and report {asked}",
            f"find {what} and say {asked}",
            f"look up {asked} in {what}",
        )

    def answer(self, world: Any) -> str:
        return f"The {self.want} of the attached file: {self.claim or self._value(world, self.thread)}"


class Compare(Errand, frozen=True):
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

    def spoil(self, fact: str, world: Any) -> Errand:
        return msgspec.structs.replace(self, claim=self.other if self._winner(world) == self.one else self.one)

    def clauses(self, world: Any) -> tuple[str, ...]:
        one, other = (world.thread(key) for key in (self.one, self.other))
        names = f'"{one.subject}" ({one.other.name}) and "{other.subject}" ({other.other.name})'
        question = self._question(world)
        return (
            f"compare the messages {names} and tell me the subject of the one in which {question}",
            f"look at {names}: in which of the two {question}? Answer with its subject only",
            f"find out in which of {names} {question}, and answer with just that subject",
            f"open {names} and name the subject of the one where {question}",
        )

    def answer(self, world: Any) -> str:
        return f'It is "{world.thread(self.claim or self._winner(world)).subject}".'

"""Things to find out about lists of messages."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any, Literal

import msgspec

from webgym_hermetic import controls
from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.mailbox import FILTERS, narrowed, rows
from webgym_hermetic.families.mail.records import DetailKind, World
from webgym_hermetic.families.mail.state import start
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class EndOfList(Goal, frozen=True):
    """The subject or the date of the newest or the oldest conversation with somebody."""

    address: str
    end: Literal["newest", "oldest"]
    want: Literal["subject", "date"]
    claim: str = ""

    def _kind(self) -> DetailKind:
        return "date" if self.want == "date" else "text"

    def _values(self, world: World) -> tuple[str, ...]:
        """The right one first, then those further away from the end."""
        found = [one for one in world.threads if one.other.address == self.address]
        found.sort(key=lambda one: one.last.sent, reverse=self.end == "newest")
        return tuple(one.subject if self.want == "subject" else one.last.sent[:10] for one in found)

    def _name(self, world: World) -> str:
        return next(one.other.name for one in world.threads if one.other.address == self.address)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        value = saying.spoken(self._kind(), self._values(world)[0])
        what = f"the {self.want} of the {self.end} conversation from {self._name(world)}"
        return (Fact("answer", f'The answer gives {what} as "{value}".'),)

    def holds(self, fact: str, end: End) -> bool:
        value, *rivals = self._values(end.world)
        return saying.says(end.answer, self._kind(), value, [one for one in rivals if one != value])

    def next(self, view: View) -> Intent | None:
        return steps.search_for(view, self.address)

    def spoil(self, fact: str, world: Any) -> Goal:
        value, *rivals = self._values(world)
        others = [one for one in rivals if one != value]
        return msgspec.structs.replace(self, claim=saying.other_value(self._kind(), value, others))

    def clauses(self, world: Any) -> tuple[str, ...]:
        who = f"{self._name(world)} ({self.address})"
        asked = "its subject" if self.want == "subject" else "the date shown for it"
        return (
            f"find the {self.end} conversation from {who}, in whatever folder it is, and tell me {asked}",
            f"search all folders for mail from {who}; for the {self.end} conversation, give me {asked}",
            f"look through all folders for the {self.end} conversation from {who} and report {asked}",
            f"search for {who}, pick the {self.end} conversation of all folders and say {asked}",
        )

    def answer(self, world: Any) -> str:
        value = saying.spoken(self._kind(), self.claim or self._values(world)[0])
        return f'The {self.want} of the {self.end} one: "{value}".'


class CountFrom(Goal, frozen=True):
    """How many conversations somebody started."""

    address: str
    claim: str = ""

    def _count(self, world: World) -> int:
        return sum(one.other.address == self.address for one in world.threads)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("answer", f"The answer says that {self._count(world)} conversations are from {self.address}."),)

    def holds(self, fact: str, end: End) -> bool:
        count = self._count(end.world)
        return saying.says(end.answer, "number", str(count), (str(count - 1), str(count + 1)))

    def next(self, view: View) -> Intent | None:
        return steps.search_for(view, self.address)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, claim=str(self._count(world) + 1))

    def clauses(self, world: Any) -> tuple[str, ...]:
        return (
            f"count how many conversations from {self.address} there are in all folders together",
            f"tell me how many conversations a search for {self.address} finds",
            f"search for {self.address} and report the number of conversations found",
            f"find out how many conversations with mail from {self.address} your mailbox holds, whatever the folder",
        )

    def answer(self, world: Any) -> str:
        return f"There are {self.claim or self._count(world)} conversations from that sender."


class CountList(Goal, frozen=True):
    """How many conversations of a folder or label are unread, starred or have attachments."""

    folder: str
    filter: str
    claim: str = ""

    def _count(self, world: World) -> int:
        return len(narrowed(rows(world, start(world), self.folder), {"filter": self.filter}))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        kind, place = dict(FILTERS)[self.filter].lower(), steps.place_title(self.folder)
        return (Fact("answer", f"The answer says that {place} has {self._count(world)} conversations: {kind}."),)

    def holds(self, fact: str, end: End) -> bool:
        count = self._count(end.world)
        return saying.says(end.answer, "number", str(count), (str(count - 1), str(count + 1)))

    def next(self, view: View) -> Intent | None:
        path = steps.place_path(self.folder)
        if any(query.get("filter") == self.filter for query in steps.queries(view.visits, path)):
            return None
        if steps.here(view) != path:
            return steps.to_page(view, path)
        return narrow(view, "filter", self.filter) or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        return msgspec.structs.replace(self, claim=str(self._count(world) + 1))

    def clauses(self, world: Any) -> tuple[str, ...]:
        kind = {
            "unread": "unread conversations",
            "starred": "starred conversations",
            "files": "conversations with attachments",
        }
        what, place = kind[self.filter], steps.place_title(self.folder)
        return (
            f"tell me how many {what} there are in {place}",
            f"count the {what} in {place}",
            f"open {place}, show only {what} and report how many there are",
            f"find out the number of {what} in {place}",
        )

    def answer(self, world: Any) -> str:
        return f"There are {self.claim or self._count(world)} of them."


def narrow(view: View, name: str, value: str) -> Intent | None:
    """Filter or sort a list: links of its own, or a form that submits itself."""
    return view.tap(f"do:{name}:{value}") or controls.choose(view, name, value)

"""Things to find out about lists of messages."""

from __future__ import annotations

from typing import Any

import msgspec

from webgym.sites import controls
from webgym.sites.errand import End, Errand, Fact
from webgym.sites.families.mail.errands import saying, steps
from webgym.sites.families.mail.mailbox import FILTERS, narrowed, rows
from webgym.sites.families.mail.records import FOLDERS, World
from webgym.sites.families.mail.state import start
from webgym.sites.view import Intent, View


class LatestFrom(Errand, frozen=True):
    """The subject of the newest conversation with somebody."""

    address: str
    claim: str = ""

    def _subjects(self, world: World) -> tuple[str, ...]:
        """Newest first."""
        found = [one for one in world.threads if one.other.address == self.address and one.folder != "sent"]
        return tuple(one.subject for one in sorted(found, key=lambda one: one.last.sent, reverse=True))

    def _name(self, world: World) -> str:
        return next(one.other.name for one in world.threads if one.other.address == self.address)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        subject = self._subjects(world)[0]
        return (Fact("answer", f'The answer gives "{subject}" as the newest subject from {self._name(world)}.'),)

    def holds(self, fact: str, end: End) -> bool:
        subject, *rivals = self._subjects(end.world)
        return saying.says(end.answer, "text", subject, rivals)

    def next(self, view: View) -> Intent | None:
        return steps.search_for(view, self.address)

    def spoil(self, fact: str, world: Any) -> Errand:
        return msgspec.structs.replace(self, claim=self._subjects(world)[1])

    def clauses(self, world: Any) -> tuple[str, ...]:
        who = f"{self._name(world)} ({self.address})"
        return (
            f"find the most recent conversation started by {who}, in whatever folder it is, and tell me its subject",
            f"tell me the subject of the newest message from {who} in any folder",
            f"search all folders for mail from {who} and give me the subject of the latest one",
            f"what is the subject of the latest conversation from {who}, all folders included?",
        )

    def answer(self, world: Any) -> str:
        return f'The newest subject is "{self.claim or self._subjects(world)[0]}".'


class CountFrom(Errand, frozen=True):
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

    def spoil(self, fact: str, world: Any) -> Errand:
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


class CountList(Errand, frozen=True):
    """How many conversations of a folder are unread, starred or have attachments."""

    folder: str
    filter: str
    claim: str = ""

    def _count(self, world: World) -> int:
        return len(narrowed(rows(world, start(world), self.folder), {"filter": self.filter}))

    def _title(self) -> str:
        return next(title for slug, title, _ in FOLDERS if slug == self.folder)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        kind = dict(FILTERS)[self.filter].lower()
        return (
            Fact("answer", f"The answer says that the {self._title()} has {self._count(world)} conversations: {kind}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        count = self._count(end.world)
        return saying.says(end.answer, "number", str(count), (str(count - 1), str(count + 1)))

    def next(self, view: View) -> Intent | None:
        path = f"/folder/{self.folder}"
        if any(query.get("filter") == self.filter for query in steps.queries(view.visits, path)):
            return None
        if view.path != path:
            return steps.to_page(view, path)
        return narrow(view, "filter", self.filter) or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Errand:
        return msgspec.structs.replace(self, claim=str(self._count(world) + 1))

    def clauses(self, world: Any) -> tuple[str, ...]:
        kind = {
            "unread": "unread conversations",
            "starred": "starred conversations",
            "files": "conversations with attachments",
        }
        what, place = kind[self.filter], self._title()
        return (
            f"tell me how many {what} the {place} folder holds",
            f"count the {what} in {place}",
            f"open {place}, show only {what} and report how many there are",
            f"find out the number of {what} in the folder {place}",
        )

    def answer(self, world: Any) -> str:
        return f"There are {self.claim or self._count(world)} of them."


def narrow(view: View, name: str, value: str) -> Intent | None:
    """Filter or sort a list: links of its own, or a form that submits itself."""
    return view.tap(f"do:{name}:{value}") or controls.choose(view, name, value)

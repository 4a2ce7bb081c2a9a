"""Lists to be shown: filtered, sorted, searched."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.goals.count import narrow
from webgym_hermetic.families.mail.mailbox import FILTERS, SORTS
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class ShowList(Goal, frozen=True):
    """A folder, filtered and sorted, as the last page shown."""

    folder: str
    filter: str
    sort: str

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (
            Fact("folder", f"The page shows {steps.place_title(self.folder)}."),
            Fact("filter", f"The list is filtered: {dict(FILTERS)[self.filter]}."),
            Fact("sort", f"The list is sorted: {dict(SORTS)[self.sort]}."),
        )

    def holds(self, fact: str, end: End) -> bool:
        if not end.visits:
            return False
        last = end.visits[-1]
        path = last.partition("?")[0]
        query = steps.queries((last,), path)[0]
        match fact:
            case "folder":
                return path == steps.place_path(self.folder)
            case _:
                return query.get(fact) == getattr(self, fact)

    def next(self, view: View) -> Intent | None:
        if (intent := steps.to_page(view, steps.place_path(self.folder))) is not None:
            return intent
        # Sorted first: a list that the filter leaves empty cannot be sorted any more.
        for name, first, value in (("sort", "newest", self.sort), ("filter", "all", self.filter)):
            if view.query.get(name, first) != value:
                return narrow(view, name, value) or steps.home(view)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "folder":
                return msgspec.structs.replace(self, folder="archive" if self.folder != "archive" else "inbox")
            case "filter":
                return msgspec.structs.replace(self, filter="starred" if self.filter != "starred" else "unread")
            case _:
                return msgspec.structs.replace(self, sort="sender" if self.sort != "sender" else "subject")

    def clauses(self, world: Any) -> tuple[str, ...]:
        kind = {"unread": "unread", "starred": "starred", "files": "with attachments"}[self.filter]
        orders = {
            "oldest": "oldest first",
            "sender": "by sender from A to Z",
            "sender_down": "by sender from Z to A",
            "subject": "by subject from A to Z",
        }
        order, place = orders[self.sort], steps.place_title(self.folder)
        return (
            f"open {place}, show only conversations that are {kind} and sort them {order}",
            f"in {place}, filter the list down to conversations that are {kind}, sorted {order}, and stop there",
            f"bring up {place} with only the conversations {kind}, ordered {order}",
            f"show me the conversations in {place} that are {kind}, sorted {order}",
        )


class SearchForm(Goal, frozen=True):
    """The results of a search with the filter form, as the last page shown."""

    sender: str
    after: str
    before: str
    files: bool = False
    place: str = ""
    subject: str = ""

    def _wanted(self) -> dict[str, str]:
        wanted = {
            "from": self.sender,
            "subject": self.subject,
            "after": self.after,
            "before": self.before,
            "folder": self.place,
        }
        return {name: value for name, value in {**wanted, "files": "on" if self.files else ""}.items() if value}

    def facts(self, world: Any) -> tuple[Fact, ...]:
        texts = {
            "from": f"The search asks for the sender {self.sender}.",
            "subject": f"The search asks for the subject {self.subject}.",
            "after": f"The search starts on {self.after}.",
            "before": f"The search ends on {self.before}.",
            "folder": f"The search is limited to {self.place}.",
            "files": "The search asks for attachments.",
        }
        return tuple(Fact(name, texts[name]) for name in self._wanted())

    def holds(self, fact: str, end: End) -> bool:
        found = steps.queries(end.visits[-1:], "/search")
        return bool(found) and saying.same(found[0].get(fact, ""), self._wanted()[fact])

    def next(self, view: View) -> Intent | None:
        wanted = self._wanted()
        if view.path == "/search" and _form(view.query) == wanted:
            return None
        if view.path != "/search":
            return steps.to_page(view, "/search")
        if view.query.get("q"):
            return view.link("/search") or steps.home(view)
        form: list[steps.Control] = [
            ("text", "find_from", wanted.get("from", "")),
            ("text", "find_subject", wanted.get("subject", "")),
            ("toggle", "find_files", wanted.get("files", "")),
            ("choice", "find_folder", wanted.get("folder", "")),
        ]
        form += [("date", f"find_{name}", wanted[name]) for name in ("after", "before") if name in wanted]
        return steps.complete(view, "filter", form) or steps.home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        match fact:
            case "from":
                other = next(one.name for one in world.people if one.name != self.sender)
                return msgspec.structs.replace(self, sender=other)
            case "after":
                return msgspec.structs.replace(self, after=_shifted(self.after, 1))
            case "before":
                return msgspec.structs.replace(self, before=_shifted(self.before, -1))
            case "files":
                return msgspec.structs.replace(self, files=False)
            case "subject":
                return msgspec.structs.replace(self, subject=f"{self.subject}s")
            case _:
                return msgspec.structs.replace(self, place="sent" if self.place != "sent" else "archive")

    def clauses(self, world: Any) -> tuple[str, ...]:
        place = f" in {steps.place_title(self.place)}" if self.place else ""
        files = " with attachments" if self.files else ""
        about = f' with "{self.subject}" in the subject' if self.subject else ""
        what = f"mail from {self.sender}{about}{files}{place}"
        days = f"from {self.after} to {self.before}"
        return (
            f"use the search form to find {what}, dated {days}",
            f"run a search with filters for {what}, {days}, and leave the results open",
            f"fill in the search filters to show {what} {days}",
            f"with the advanced search, bring up {what} dated {days}",
        )


def _shifted(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()


def _form(query: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in steps.asked(query).items() if name not in ("filter", "sort")}

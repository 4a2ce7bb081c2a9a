"""Finding something out about issues."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from msgspec.structs import replace

from webgym_hermetic.families.tracker.goals.asking import Ask
from webgym_hermetic.families.tracker.goals.ways import to_issue, to_list
from webgym_hermetic.families.tracker.listing import chosen
from webgym_hermetic.families.tracker.records import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


def called(world: World, key: str, by: str) -> tuple[str, ...]:
    """Ways to name an issue, by its key or by its title."""
    title = world.issue[key].title
    if by == "title":
        return (f'the issue "{title}"', f"the issue titled \u201c{title}\u201d", f'"{title}"')
    if by == "both":
        return (f'{key} ("{title}")', f"issue {key} (\u201c{title}\u201d)")
    return (key, f"issue {key}", f"the issue {key}")


class TellAboutIssue(Ask, frozen=True):
    """Facts of one issue: of its fields or of its description."""

    key: str
    by: str = "key"

    def next(self, view: View) -> Intent | None:
        """Look at the issue."""
        if view.visited(f"/issue/{self.key}"):
            return None
        title = view.world.issue[self.key].title
        return to_issue(view, self.key, title if self.by == "title" else "")

    def about(self, world: World) -> str:
        """Of the issue."""
        del world
        return f" of {self.key}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """What is asked of which issue."""
        name = called(world, self.key, self.by)
        asked = self.question()
        return (
            f"find out {asked} of {name[0]}",
            f"look up {name[-1]} and tell me {asked}",
            f"tell me {asked} of {name[0]}",
            f"open {name[1]} and report {asked}",
            f"check {name[0]} and answer with {asked}",
        )


class TellMentioned(TellAboutIssue, frozen=True):
    """Facts that the description of an issue mentions."""

    def clauses(self, world: World) -> tuple[str, ...]:
        """What is asked of which description."""
        name = called(world, self.key, self.by)
        asked = self.question()
        return (
            f"find out {asked} given in the description of {name[0]}",
            f"read the description of {name[-1]} and tell me {asked}",
            f"tell me {asked} that the description of {name[0]} mentions",
            f"open {name[1]} and report {asked} from its description",
        )


class CompareIssues(Ask, frozen=True):
    """Which of two issues has more of something. The answer is a key."""

    keys: tuple[str, str]
    phrase: str
    """In words: "has more votes"."""

    def next(self, view: View) -> Intent | None:
        """Look at both."""
        for key in self.keys:
            if not view.visited(f"/issue/{key}"):
                return to_issue(view, key)
        return None

    def about(self, world: World) -> str:
        """Of one of the two."""
        del world
        return f" of the issue of {self.keys[0]} and {self.keys[1]} that {self.phrase}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which one."""
        one, other = self.keys
        titles = [world.issue[key].title for key in self.keys]
        return (
            f"find out which issue {self.phrase}, {one} or {other}, and answer with its key only",
            f"compare {one} and {other} and give me only the key of the one that {self.phrase}",
            f"of the issues {one} and {other}, tell me just the key of the one that {self.phrase}",
            f'check {one} ("{titles[0]}") and {other} ("{titles[1]}"), name only the key of the one that {self.phrase}',
        )


def conditions(world: World, query: Mapping[str, str]) -> str:
    """The filters of a list in words."""
    parts: list[str] = []
    for name, value in query.items():
        match name:
            case "project":
                parts.append(f"project {world.project[value].name}")
            case "status":
                parts.append("all open statuses" if value == "open" else f"status {world.status[value]}")
            case "assignee":
                parts.append("no assignee" if value == "none" else f"assignee {world.person[value].name}")
            case "label":
                parts.append(f"label {value}")
            case "priority":
                parts.append(f"priority {world.priority[value]}")
            case "kind":
                parts.append(f"type {world.kind[value]}")
            case "milestone":
                parts.append(f"milestone {world.milestone[value].name}")
            case _:
                pass
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


class CountIssues(Ask, frozen=True):
    """How many issues meet some conditions."""

    query: dict[str, str]

    def next(self, view: View) -> Intent | None:
        """Look at the list with these filters."""
        return None if seen_list(view.visits, self.query) else to_list(view, self.query)

    def about(self, world: World) -> str:
        """With these conditions."""
        return f" with {conditions(world, self.query)}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """How many there are."""
        words = conditions(world, self.query)
        return (
            f"count the issues with {words} and tell me how many there are",
            f"find out how many issues there are with {words}",
            f"tell me the number of issues that have {words}",
            f"use the filters of the issue list to find how many issues have {words}",
        )


class FirstIssue(Ask, frozen=True):
    """The issue at the top of a filtered and sorted list: open it, and say its key."""

    query: dict[str, str]
    key: str
    phrase: str
    """In words: "the earliest due date"."""
    skip: bool = False
    """Leave the issue unopened."""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """The key, and that it was opened."""
        return (*super().facts(world), Fact("opened", f"The page of {self.key} was opened."))

    def holds(self, fact: str, end: End) -> bool:
        """As the answer or the visits have it."""
        if fact == "opened":
            return any(visit.partition("?")[0] == f"/issue/{self.key}" for visit in end.visits)
        return super().holds(fact, end)

    def spoil(self, fact: str, world: World) -> Goal:
        """Unopened, or with another key."""
        if fact == "opened":
            return replace(self, skip=True)
        return super().spoil(fact, world)

    def next(self, view: View) -> Intent | None:
        """The list, then what is at its top."""
        if not seen_list(view.visits, self.query):
            return to_list(view, self.query)
        if self.skip or view.visited(f"/issue/{self.key}"):
            return None
        return view.link(f"/issue/{self.key}") or to_list(view, self.query) or to_issue(view, self.key)

    def about(self, world: World) -> str:
        """Of the one at the top."""
        del world
        return f" of the issue with {self.phrase}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which one to open."""
        words = conditions(world, {name: value for name, value in self.query.items() if name != "sort"})
        return (
            f"among the issues with {words}, open the one with {self.phrase} and tell me its key",
            f"filter the issues by {words}, sort them, open the one with {self.phrase} and give me its key",
            f"find the issue with {self.phrase} among those with {words}; open its page and answer with its key",
            f"look for the issues with {words}, go to the page of the one with {self.phrase} and report its key",
        )


def seen_list(visits: tuple[str, ...], query: Mapping[str, str]) -> bool:
    """Whether the list was shown with exactly these filters."""
    for visit in visits:
        path, _, rest = visit.partition("?")
        if path == "/issues" and chosen(dict(parse_qsl(rest))) == dict(query):
            return True
    return False

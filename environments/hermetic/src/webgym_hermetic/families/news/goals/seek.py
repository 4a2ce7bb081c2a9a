"""Searching with filters, and opening pages."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.answers import says_text
from webgym_hermetic.controls import choose, search
from webgym_hermetic.families.news.find import PERIODS, SORTS, folded
from webgym_hermetic.families.news.find import search as find
from webgym_hermetic.families.news.goals.tables import board_title, group_title
from webgym_hermetic.families.news.goals.ways import go, go_article, home, link, link_with, split
from webgym_hermetic.families.news.records import Article, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

FILTERS = ("section", "author", "period", "version", "sort")


class FilterSearch(Goal, frozen=True):
    """Search for something, narrow it down, sort it, and say what comes first."""

    q: str
    filters: dict[str, str]
    """Of `section`, `author`, `period`, `version`, `sort`."""
    claim: str = ""
    shown: dict[str, str] = {}
    """Filters to set instead."""

    def top(self, world: World) -> list[Article]:
        return find(world, {"q": self.q, **self.filters})

    def facts(self, world: Any) -> tuple[Fact, ...]:
        labels = filter_labels(world)
        found = [
            Fact(
                name,
                f"Results for \u201c{self.q}\u201d were shown with {labels[name][0]}: {labels[name][1][value]}.",
            )
            for name, value in self.filters.items()
        ]
        return (*found, Fact("top", f"The answer names the first result: \u201c{self.top(world)[0].title}\u201d."))

    def holds(self, fact: str, end: End) -> bool:
        if fact == "top":
            first, *rest = self.top(end.world)
            others = (*rest[:2], *find(end.world, {"q": self.q})[:1])
            rivals = tuple(one.title for one in others if one.slug != first.slug)
            return says_text(end.answer, first.title, rivals=rivals)
        best = max((self._matched(visit) for visit in end.visits), key=len, default=frozenset[str]())
        return fact in best

    def next(self, view: View) -> Intent | None:
        wanted = self.shown or self.filters
        if any(_matches(visit, self.q, wanted) for visit in view.visits):
            return None
        strays = [name for name in FILTERS if view.query.get(name, "") not in ("", "relevance", wanted.get(name))]
        here = view.path == "/search" and folded(view.query.get("q", "")) == folded(self.q)
        if not here or strays:
            return search(view, self.q) or home(view)
        return self._narrow(view, wanted) or search(view, self.q) or home(view)

    def spoil(self, fact: str, world: Any) -> Goal:
        if fact == "top":
            return FilterSearch(self.q, self.filters, self.top(world)[1].title)
        options = [value for value in filter_labels(world)[fact][1] if value not in ("", self.filters[fact])]
        other = next(value for value in options if fact != "sort" or value != "relevance")
        first = self.top(world)[0].title
        return FilterSearch(self.q, self.filters, first, {**self.filters, fact: other})

    def clauses(self, world: Any) -> tuple[str, ...]:
        labels = filter_labels(world)
        parts = [f"{labels[name][0]} \u201c{labels[name][1][value]}\u201d" for name, value in self.filters.items()]
        settings = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        title = "headline" if world.kind == "news" else "title"
        return (
            f"search for \u201c{self.q}\u201d with {settings}, and tell me the {title} of the first result",
            f"use the search to look for \u201c{self.q}\u201d, set {settings}, and report the {title} that comes first",
            f"look for \u201c{self.q}\u201d in the search, narrow it to {settings}, and give me the {title} at the top",
            f"run a search for \u201c{self.q}\u201d; set {settings}; then answer with the {title} of the top result",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or self.top(world)[0].title}."

    def _matched(self, visit: str) -> frozenset[str]:
        path, query = split(visit)
        if path != "/search" or folded(query.get("q", "")) != folded(self.q):
            return frozenset()
        return frozenset(name for name, value in self.filters.items() if query.get(name, "") == value)

    def _narrow(self, view: View, wanted: dict[str, str]) -> Intent | None:
        """The next filter: a link that adds it, or the controls of the form and then its button."""
        kept = {name: value for name, value in view.query.items() if name != "page"}
        for name, value in wanted.items():
            if view.query.get(name, "") != value:
                links = ({**kept, name: value}, {**kept, name: value, "sort": kept.get("sort", "relevance")})
                for query in links:
                    if tap := link_with(view, "/search", query):
                        return tap
        for name in FILTERS:
            value = wanted.get(name, "relevance" if name == "sort" else "")
            if intent := choose(view, f"filter.{name}", value):
                return intent
        return view.tap("submit:filters")


class OpenPage(Goal, frozen=True):
    """Be on a certain page at the end."""

    page: str
    """`article`, `section`, `author`, `tag`, `archive` or `board`."""
    name: str
    group: str = ""
    """Of a board."""
    version: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("page", f"The session ends on {self._named(world)}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return bool(end.visits) and self._is(end.world, end.visits[-1])

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        if view.visits and self._is(world, view.visits[-1]):
            return None
        match self.page:
            case "article":
                return go_article(view, self.name, self.version)
            case "board":
                board = world.board(self.name)
                return link(view, f"{board.path}?group={self.group}") or go(view, board.path)
            case _:
                path = f"/{self.page}/{self.name}"
                index = {"section": "/", "author": "/authors", "tag": "/topics", "archive": "/archive"}[self.page]
                return link(view, path) or go(view, index)

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        match self.page:
            case "article":
                names = [one.slug for one in world.articles]
            case "section":
                names = [one.id for one in world.sections]
            case "author":
                names = [one.id for one in world.authors]
            case "archive":
                names = sorted({one.stamp[:7] for one in world.articles})
            case "board":
                groups = [one for one, _ in world.board(self.name).groups]
                return OpenPage("board", self.name, next(one for one in groups[1:] if one != self.group))
            case _:
                names = [tag.replace(" ", "-") for tag in world.tags()]
        return OpenPage(self.page, next(one for one in names if one != self.name))

    def clauses(self, world: Any) -> tuple[str, ...]:
        what = self._named(world)
        return (
            f"open {what}",
            f"go to {what} and stay there",
            f"bring up {what}",
            f"find {what} and leave it open",
        )

    def _named(self, world: World) -> str:
        labels = world.labels
        match self.page:
            case "article":
                extra = f" in {self.version}" if self.version else ""
                return f"the {labels.article} \u201c{world.by_slug[self.name].title}\u201d{extra}"
            case "section":
                return f"the page of the {labels.section} {world.section(self.name).title}"
            case "author":
                return f"the page of {world.author(self.name).name}"
            case "archive":
                return f"the page of {labels.archive.lower()} for {month_title(self.name)}"
            case "board":
                title = group_title(world.board(self.name), self.group)
                return f"the {board_title(world, self.name)} page, showing {title}"
            case _:
                return f"the page of the topic \u201c{self.name.replace('-', ' ')}\u201d"

    def _is(self, world: World, visit: str) -> bool:
        path, query = split(visit)
        match self.page:
            case "article":
                newest = world.by_slug[self.name].versions[-1] if self.version else ""
                right = path == world.href(self.name)
                return right and (not self.version or query.get("version", newest) == self.version)
            case "board":
                board = world.board(self.name)
                return path == board.path and query.get("group", board.groups[0][0]) == self.group
            case _:
                return path == f"/{self.page}/{self.name}"


def filter_labels(world: World) -> dict[str, tuple[str, dict[str, str]]]:
    """What each filter and its options are called."""
    return {
        "section": (world.labels.section, {one.id: one.title for one in world.sections}),
        "author": ("author", {one.id: one.name for one in world.authors}),
        "period": ("date", dict(PERIODS)),
        "version": ("version", {one: one for one in world.versions}),
        "sort": ("order", dict(SORTS)),
    }


def month_title(month: str) -> str:
    """`2026-03` as `March 2026`."""
    names = "January February March April May June July August September October November December".split()
    return f"{names[int(month[5:7]) - 1]} {month[:4]}"


def _matches(visit: str, q: str, filters: dict[str, str]) -> bool:
    path, query = split(visit)
    right = path == "/search" and folded(query.get("q", "")) == folded(q)
    return right and all(query.get(name, "") == value for name, value in filters.items())

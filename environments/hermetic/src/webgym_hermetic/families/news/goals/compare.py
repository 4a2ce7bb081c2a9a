"""Comparing two articles."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.answers import says_number, says_text
from webgym_hermetic.families.news.details import details
from webgym_hermetic.families.news.goals.ways import go_article, saw_article
from webgym_hermetic.families.news.records import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class CompareArticles(Goal, frozen=True):
    """Which of two articles takes longer to read, is newer, or gives the greater number."""

    slugs: tuple[str, str]
    by: str
    """`minutes`, `stamp`, or the name of a numeric detail that both have."""
    claim: str = ""

    def winner(self, world: World) -> str:
        return max(self.slugs, key=lambda slug: measure(world, slug, self.by))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        title = world.by_slug[self.winner(world)].title
        return (Fact("winner", f"The answer names the right one of the two: \u201c{title}\u201d."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        winner, loser = self._both(end.world)
        return says_text(end.answer, winner, rivals=(loser,))

    def next(self, view: View) -> Intent | None:
        version = self.by.partition("@")[2]
        for slug in self.slugs:
            if not saw_article(view.world, view.visits, slug, version):
                return go_article(view, slug, version)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return CompareArticles(self.slugs, self.by, self._both(world)[1])

    def clauses(self, world: Any) -> tuple[str, ...]:
        one, other = (world.by_slug[slug].title for slug in self.slugs)
        what = self._what(world)
        noun = world.labels.articles
        return (
            f"compare the {noun} \u201c{one}\u201d and \u201c{other}\u201d and give the title of the one that {what}",
            f"say which of these two {noun} {what}: \u201c{one}\u201d or \u201c{other}\u201d; answer with its title",
            f"look at \u201c{one}\u201d and at \u201c{other}\u201d and name the one that {what}",
            f"tell me which {what}, \u201c{one}\u201d or \u201c{other}\u201d, by its title",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or self._both(world)[0]}."

    def _both(self, world: World) -> tuple[str, str]:
        winner = self.winner(world)
        loser = next(slug for slug in self.slugs if slug != winner)
        return world.by_slug[winner].title, world.by_slug[loser].title

    def _what(self, world: World) -> str:
        match self.by:
            case "minutes":
                return "has the longer reading time"
            case "stamp":
                return "was published later" if world.kind == "news" else "was updated more recently"
            case by:
                row, _, version = by.partition("@")
                return f"gives the greater number for \u201c{row}\u201d" + (f" in {version}" if version else "")


class CompareYears(Goal, frozen=True):
    """In which of two years an annual story had the greater number."""

    slug: str
    name: str
    claim: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("year", f"The answer names the year with the greater number: {self._years(world)[0]}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        right, other = self._years(end.world)
        return says_number(end.answer, float(right), rivals=(float(other),))

    def next(self, view: View) -> Intent | None:
        for slug in self._slugs(view.world):
            if not saw_article(view.world, view.visits, slug):
                return go_article(view, slug)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return CompareYears(self.slug, self.name, self._years(world)[1])

    def clauses(self, world: Any) -> tuple[str, ...]:
        slugs = self._slugs(world)
        one, other = (world.by_slug[slug].title for slug in slugs)
        years = sorted(world.by_slug[slug].stamp[:4] for slug in slugs)
        ask = next(each.ask for each in details(world, world.by_slug[slugs[0]]) if each.name == self.name)
        both = f"\u201c{one}\u201d and \u201c{other}\u201d"
        question = f"{ask}, and the same for the other year"
        return (
            f"read {both}, compare {question}, and tell me in which year the number was greater",
            f"find out if the number was greater in {years[0]} or {years[1]}: compare {question} (see {both})",
            f"look up {question}, in {both}, and answer with the year that had the greater number",
            f"name the year, {years[0]} or {years[1]}, with the greater number: compare {question}, using {both}",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or self._years(world)[0]}."

    def _slugs(self, world: World) -> tuple[str, str]:
        return self.slug, world.by_slug[self.slug].twin

    def _years(self, world: World) -> tuple[str, str]:
        ranked = sorted(self._slugs(world), key=lambda slug: measure(world, slug, self.name), reverse=True)
        return world.by_slug[ranked[0]].stamp[:4], world.by_slug[ranked[1]].stamp[:4]


def measure(world: World, slug: str, by: str) -> float:
    """What two articles are compared by."""
    article = world.by_slug[slug]
    match by:
        case "minutes":
            return article.minutes
        case "stamp":
            return float("".join(char for char in article.stamp if char.isdigit()))
        case _:
            return next(float(one.value) for one in details(world, article) if one.name == by)

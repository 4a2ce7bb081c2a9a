"""Finding something out in an article or about an author."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.answers import says_text
from webgym_hermetic.families.news.details import Detail, byline, details, said, says, wrong
from webgym_hermetic.families.news.goals.ways import go, go_article, link, saw_article
from webgym_hermetic.families.news.records import Article, World
from webgym_hermetic.families.news.slots import capital
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class TellDetails(Goal, frozen=True):
    """What an article says: one or more details."""

    slug: str
    names: tuple[str, ...]
    claims: dict[str, str] = {}
    """What to say instead of the truth, by detail."""

    def details(self, world: World) -> tuple[Detail, ...]:
        article = world.by_slug[self.slug]
        known = {one.name: one for one in (*details(world, article), *byline(world, article))}
        return tuple(known[name] for name in self.names)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        title = world.by_slug[self.slug].title
        return tuple(
            Fact(one.name, f"The answer states {one.ask} according to \u201c{title}\u201d: {one.shown}.")
            for one in self.details(world)
        )

    def holds(self, fact: str, end: End) -> bool:
        return any(says(end.answer, one) for one in self.details(end.world) if one.name == fact)

    def next(self, view: View) -> Intent | None:
        for one in self.details(view.world):
            if not saw_article(view.world, view.visits, self.slug, one.version):
                return go_article(view, self.slug, one.version)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        lies = {one.name: wrong(one) for one in self.details(world) if one.name == fact}
        return TellDetails(self.slug, self.names, lies)

    def clauses(self, world: Any) -> tuple[str, ...]:
        article = world.by_slug[self.slug]
        asked = listed([one.ask for one in self.details(world)])
        noun = world.labels.article
        wordings = [
            f"open the {noun} \u201c{article.title}\u201d and tell me {asked}",
            f"find the {noun} \u201c{article.title}\u201d and report {asked}",
            f"tell me {asked}; the {noun} is called \u201c{article.title}\u201d",
            f"read \u201c{article.title}\u201d and answer with {asked}",
        ]
        if all(_speaks_for_itself(world, article, name) for name in self.names):
            section = world.section(article.section).title
            wordings += [f"find out {asked}", f"look in the section {section} and tell me {asked}"]
        return tuple(wordings)

    def answer(self, world: Any) -> str:
        parts = [said(one, self.claims.get(one.name, one.value)) for one in self.details(world)]
        return f"{capital(', '.join(parts))}."


class TellAuthor(Goal, frozen=True):
    """What the page of an author says: year of joining, town, role, or how many articles."""

    author: str
    what: str
    """`joined`, `town`, `count` or the id of a section to count in."""
    claim: str = ""

    def detail(self, world: World) -> Detail:
        return author_detail(world, self.author, self.what)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        one = self.detail(world)
        return (Fact("told", f"The answer states {one.ask}: {one.shown}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return says(end.answer, self.detail(end.world))

    def next(self, view: View) -> Intent | None:
        path = f"/author/{self.author}"
        if view.visited(path):
            return None
        return link(view, path) or go(view, "/authors")

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return TellAuthor(self.author, self.what, wrong(self.detail(world)))

    def clauses(self, world: Any) -> tuple[str, ...]:
        ask = self.detail(world).ask
        name = world.author(self.author).name
        return (
            f"find out {ask}",
            f"tell me {ask}",
            f"look up the page of {name} and tell me {ask}",
            f"check the profile of {name} and report {ask}",
        )

    def answer(self, world: Any) -> str:
        one = self.detail(world)
        return f"{said(one, self.claim or one.value)}."


class TellLatest(Goal, frozen=True):
    """The newest article of a section, an author or a tag."""

    group: str
    """`section`, `author` or `tag`."""
    name: str
    claim: str = ""
    """Title to name instead."""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        title = latest(world, self.group, self.name)[0].title
        return (Fact("latest", f"The answer names the newest {world.labels.article} there: \u201c{title}\u201d."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        first, *rest = latest(end.world, self.group, self.name)
        rivals = tuple(one.title for one in rest[:4] if one.title != first.title)
        return says_text(end.answer, first.title, rivals=rivals)

    def next(self, view: View) -> Intent | None:
        path = f"/{self.group}/{self.name}"
        if view.visited(path):
            return None
        return link(view, path) or go(view, {"section": "/", "author": "/authors", "tag": "/topics"}[self.group])

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return TellLatest(self.group, self.name, latest(world, self.group, self.name)[1].title)

    def clauses(self, world: Any) -> tuple[str, ...]:
        labels = world.labels
        noun, title = labels.article, "headline" if world.kind == "news" else "title"
        newest = "most recent" if world.kind == "news" else "most recently updated"
        place = {
            "section": lambda: f"in the {labels.section} {world.section(self.name).title}",
            "author": lambda: f"by {world.author(self.name).name}",
            "tag": lambda: f"with the topic \u201c{self.name.replace('-', ' ')}\u201d",
        }[self.group]()
        return (
            f"tell me the {title} of the {newest} {noun} {place}",
            f"find the {newest} {noun} {place} and give me its {title}",
            f"say what the {newest} {noun} {place} is called; give its exact {title}",
            f"look up the {newest} {noun} {place} and report the {title}",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or latest(world, self.group, self.name)[0].title}."


def latest(world: World, group: str, name: str) -> list[Article]:
    """Articles of a section, an author or a tag, newest first."""
    match group:
        case "section":
            return [one for one in world.articles if one.section == name]
        case "author":
            return [one for one in world.articles if one.author == name]
        case _:
            return [one for one in world.articles if name in (tag.replace(" ", "-") for tag in one.tags)]


def author_detail(world: World, name: str, what: str) -> Detail:
    """What can be asked about an author."""
    author, labels = world.author(name), world.labels
    written = latest(world, "author", name)
    match what:
        case "joined":
            value = str(author.joined)
            return Detail(what, f"the year in which {author.name} joined {world.brand}", value, "number", value)
        case "town":
            others = tuple(sorted({one.town for one in world.authors} - {author.town}))
            return Detail(what, f"the town where {author.name} is based", author.town, "text", author.town, others)
        case "count":
            value = str(len(written))
            return Detail(what, f"how many {labels.articles} by {author.name} there are in all", value, "number", value)
        case section:
            value = str(sum(one.section == section for one in written))
            place = world.section(section).title
            ask = f"how many {labels.articles} by {author.name} are in the {labels.section} {place}"
            return Detail(what, ask, value, "number", value, (str(len(written)),) if value != str(len(written)) else ())


def listed(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _speaks_for_itself(world: World, article: Article, name: str) -> bool:
    """Whether the question alone says which article is meant."""
    if world.kind == "docs" or name in ("author", "date", "minutes"):
        return False
    own = next(one.ask for one in details(world, article) if one.name == name)
    others = [one for one in world.articles if one.story == article.story and one.slug != article.slug]
    return not any(one.ask == own for other in others for one in details(world, other) if one.name == name)

"""What news and documentation sites are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from webgym.records.base import Record

Kind = Literal["news", "docs"]


class Section(Record, frozen=True):
    """A section of a paper, a chapter of a manual."""

    id: str
    title: str
    icon: str
    blurb: str = ""


class Author(Record, frozen=True):
    """Someone who writes here."""

    id: str
    name: str
    role: str
    joined: int
    town: str
    bio: str


class Row(Record, frozen=True):
    """One line of a page's table: an option and its default, a property and its value."""

    name: str
    unit: str
    values: tuple[str, str]
    """In the older and in the newer version."""
    text: str
    since: str


class Article(Record, frozen=True):
    """An article of a paper or a page of a manual."""

    slug: str
    title: str
    standfirst: str
    section: str
    author: str
    stamp: str
    """When it was published or last updated: ISO, to the minute."""
    minutes: int
    tags: tuple[str, ...]
    picture: str
    story: str
    """What its text is made from: a story, or a chapter."""
    slots: dict[str, str]
    """What the text is filled with, plainly: `12000`, `2026-03-14`."""
    twin: str = ""
    """Slug of the same subject in another year."""
    rows: tuple[Row, ...] = ()
    versions: tuple[str, ...] = ()
    """Versions in which the page exists, oldest first."""
    correction: str = ""


class Column(Record, frozen=True):
    """A column of a board, and how to ask for it."""

    title: str
    ask: str = ""
    """A phrase with `{row}` and `{group}`; empty if nobody asks."""
    compare: str = ""
    """What the row with the greater number does: "had the larger crowd in {group}"."""
    number: bool = False


class Line(Record, frozen=True):
    """A row of a board."""

    group: str
    label: str
    """How requests name it."""
    cells: tuple[str, ...]


class Board(Record, frozen=True):
    """A table of results, prices, forecasts, codes or plans, maybe in groups shown one at a time."""

    id: str
    title: str
    path: str
    icon: str
    columns: tuple[Column, ...]
    groups: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    note: str = ""


class Event(Record, frozen=True):
    """Something that takes place."""

    id: str
    title: str
    kind: str
    date: str
    time: str
    venue: str
    price: int
    """Cents."""
    host: str
    places: int
    text: str


class Advert(Record, frozen=True):
    """A classified advertisement."""

    id: str
    title: str
    kind: str
    price: int
    """Cents."""
    town: str
    posted: str
    seller: str
    phone: str
    text: str


class Poll(Record, frozen=True):
    """A question to the readers."""

    id: str
    question: str
    options: tuple[tuple[str, str], ...]
    votes: tuple[int, ...]


class Letter(Record, frozen=True):
    """A newsletter."""

    id: str
    title: str
    text: str


class Plan(Record, frozen=True):
    """What can be subscribed to."""

    id: str
    name: str
    monthly: int
    """Cents."""
    yearly: int
    devices: int
    archive: int
    text: str


class Release(Record, frozen=True):
    """A version, with what changed."""

    name: str
    date: str
    changes: tuple[str, ...]


class Field(Record, frozen=True):
    """One input of a form."""

    name: str
    label: str
    kind: Literal["text", "area", "email", "choice", "date", "number", "price", "toggle"] = "text"
    options: tuple[tuple[str, str], ...] = ()
    default: str = ""
    required: bool = True
    low: str = ""
    """Of a date or number: the least allowed."""
    high: str = ""
    help: str = ""


class Form(Record, frozen=True):
    """A form: what it asks for, in groups, and where it is."""

    name: str
    title: str
    path: str
    """With `{target}` in it if it belongs to an article or a comment."""
    action: str
    """On the button."""
    noun: str
    """What gets submitted: "letter"."""
    thanks: str
    groups: tuple[tuple[str, tuple[Field, ...]], ...]
    lead: str = ""
    keeps: bool = False
    """Whether it shows what was last submitted: settings."""

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(one for _, fields in self.groups for one in fields)

    def field(self, name: str) -> Field:
        """A field by its name.

        Raises:
            KeyError: There is none.
        """
        for one in self.fields:
            if one.name == name:
                return one
        raise KeyError(name)


class Labels(Record, frozen=True):
    """What things are called on a site."""

    article: str
    articles: str
    section: str
    sections: str
    wrote: str
    published: str
    saved: str
    save: str
    comments: str
    comment: str
    newsletters: str
    plans: str
    subscribe: str
    letters: str
    events: str
    event: str
    adverts: str
    advert: str
    polls: str
    archive: str
    authors: str
    lists: tuple[tuple[str, str], ...]
    price_word: str = "Price"


_Named = TypeVar("_Named", Section, Author, Board, Poll)


@dataclass(frozen=True, slots=True)
class World:
    """Everything on a site before anyone touched it."""

    seed: str
    brand: str
    kind: Kind
    flavour: str
    product: str
    """What a manual is about; the town of a paper."""
    tagline: str
    today: str
    reader: str
    email: str
    labels: Labels
    sections: tuple[Section, ...]
    authors: tuple[Author, ...]
    articles: tuple[Article, ...]
    """Newest first."""
    boards: tuple[Board, ...]
    events: tuple[Event, ...]
    adverts: tuple[Advert, ...]
    polls: tuple[Poll, ...]
    letters: tuple[Letter, ...]
    plans: tuple[Plan, ...]
    releases: tuple[Release, ...]
    versions: tuple[str, ...]
    forms: dict[str, Form]
    by_slug: dict[str, Article]
    """The same articles by slug."""

    def href(self, slug: str) -> str:
        return f"/{'story' if self.kind == 'news' else 'docs'}/{slug}"

    def section(self, name: str) -> Section:
        return _named(self.sections, name)

    def author(self, name: str) -> Author:
        return _named(self.authors, name)

    def board(self, name: str) -> Board:
        return _named(self.boards, name)

    def poll(self, name: str) -> Poll:
        return _named(self.polls, name)

    def tags(self) -> tuple[str, ...]:
        """Every tag in use, in order of the alphabet."""
        return tuple(sorted({tag for article in self.articles for tag in article.tags}))


def _named(items: tuple[_Named, ...], name: str) -> _Named:
    for item in items:
        if item.id == name:
            return item
    raise KeyError(name)

"""What a community talks about: the words its forum is written from."""

from __future__ import annotations

from webgym_hermetic.kit.data import Table


class Measure(Table, frozen=True):
    """Something people give a figure for. `{thing}` is one of the topic's things, `{}` in `form` the figure."""

    ask: str
    """Title of a thread about it."""
    what: str
    """A noun for it: "planting depth"."""
    form: str
    """"{} cm"."""
    values: tuple[int | float, ...]
    things: tuple[str, ...] = ()
    """What it makes sense for, if not for all things of the topic."""


class Trouble(Table, frozen=True):
    """Something that goes wrong, and what may be to blame."""

    title: str
    detail: str
    causes: tuple[str, ...]
    things: tuple[str, ...] = ()


class Topic(Table, frozen=True):
    """A board with a subject of its own."""

    slug: str
    name: str
    about: str
    icon: str
    things: tuple[str, ...]
    measures: tuple[Measure, ...]
    troubles: tuple[Trouble, ...]


class Duel(Table, frozen=True):
    """A question with a poll."""

    title: str
    options: tuple[str, ...]


class Bank(Table, frozen=True):
    """One kind of community."""

    key: str
    people: str
    """What its members are called: "gardeners"."""
    tagline: str
    covers: tuple[str, ...]
    """What its pictures show: kinds of the kit's pictures."""
    topics: tuple[Topic, ...]
    market: str
    """Names of the boards every community has."""
    showcase: str
    lounge: str
    wares: tuple[tuple[str, int, int], ...]
    """What is sold, from so many to so many dollars."""
    projects: tuple[str, ...]
    materials: tuple[str, ...]
    duels: tuple[Duel, ...]
    gear_label: str
    """A line of the profile: "Camera"."""
    gear: tuple[str, ...]
    tags: tuple[str, ...]
    lines: tuple[str, ...]
    """Things people here say in passing."""
    words: tuple[str, ...]
    """Parts of user names."""
    signatures: tuple[str, ...]
    meetups: tuple[str, ...]
    bring: tuple[str, ...]
    """What one may bring to a meetup."""
    guides: tuple[str, ...]
    """Titles of pinned threads."""

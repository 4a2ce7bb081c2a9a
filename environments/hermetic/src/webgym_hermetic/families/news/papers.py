"""Kinds of news sites: their sections, what is written in them, and what they are called."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.families.news.records import Section
from webgym_hermetic.kit.data import Table, read_table


class Column(Table, frozen=True):
    """A section, and the kinds of stories in it."""

    title: str
    icon: str
    blurb: str
    stories: tuple[str, ...]

    @property
    def section(self) -> Section:
        name = self.title.lower().replace(" & ", "-").replace(" ", "-")
        return Section(name, self.title, self.icon, self.blurb)


class Paper(Table, frozen=True):
    """A kind of news site."""

    name: str
    taglines: tuple[str, ...]
    sections: tuple[Column, ...]
    boards: tuple[str, ...]
    roles: tuple[str, ...]
    event_kinds: tuple[str, ...]
    """For talks, markets, outings and joining in, in this order."""
    advert_kinds: tuple[str, ...]
    """For things, rooms, work and services, in this order."""


class Papers(Table, frozen=True):
    """All kinds of news sites."""

    papers: tuple[Paper, ...]


@cache
def papers() -> tuple[Paper, ...]:
    return read_table(__name__, Papers).papers

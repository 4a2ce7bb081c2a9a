"""The shape of a team's material: projects, subjects of issues, facts of descriptions, handbook."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from webgym_hermetic.kit.data import Table, read_table

TEAMS = ("software", "hospital", "lab", "film", "city", "game", "library", "robotics")


class Shape(Table, frozen=True):
    """A fact that descriptions mention. In `value`, `#` stands for a digit and `@` for a letter."""

    name: str
    value: str
    unit: str
    """What the value counts: then the number alone is an answer. Empty: the value is a text."""
    sentences: tuple[str, ...]
    """With `{v}` for the value and, in some, `{w}` for another one that is not asked for."""


class Subject(NamedTuple):
    """What several issues of a project are about. Slots in braces make them differ."""

    title: str
    kind: int
    component: int
    opening: str
    shapes: str
    """Names of shapes, separated by commas."""


class Area(Table, frozen=True):
    """A project."""

    key: str
    name: str
    about: str
    components: tuple[str, ...]
    subjects: tuple[Subject, ...]


class Point(NamedTuple):
    """A fact of the handbook: what one may ask, the sentence, and values it may have."""

    ask: str
    sentence: str
    values: tuple[str, ...]


class Sheet(Table, frozen=True):
    """A page of the handbook."""

    title: str
    opening: str
    points: tuple[Point, ...]


class Team(Table, frozen=True):
    """Everything that one kind of team writes in its tracker."""

    tagline: str
    statuses: tuple[str, ...]
    """In the order of work. The last one means that it is over."""
    priorities: tuple[str, ...]
    """Most urgent first."""
    kinds: tuple[str, ...]
    labels: tuple[str, ...]
    roles: tuple[str, ...]
    places: tuple[str, ...]
    milestone: str
    """With `{n}`: what milestones are called."""
    goals: tuple[str, ...]
    release: str
    """With `{v}`: what releases are called."""
    version: str
    """Like the value of a shape."""
    closings: tuple[str, ...]
    remarks: tuple[str, ...]
    files: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]
    shapes: tuple[Shape, ...]
    areas: tuple[Area, ...]
    articles: tuple[Sheet, ...]


class Common(Table, frozen=True):
    """What every team has."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    zones: tuple[str, ...]
    abouts: tuple[str, ...]
    habits: tuple[str, ...]
    """Paragraphs that fit any page of the handbook."""
    articles: tuple[Sheet, ...]


@cache
def team(name: str) -> Team:
    """The material of a team of `TEAMS`."""
    return read_table(f"{__package__}.{name}", Team)


@cache
def common() -> Common:
    """The material that all teams share."""
    return read_table(f"{__package__}.common", Common)

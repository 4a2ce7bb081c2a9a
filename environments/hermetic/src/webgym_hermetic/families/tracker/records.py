"""What a tracker consists of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from webgym.records.base import Record

RELATIONS = (("blocks", "blocks"), ("relates", "relates to"), ("duplicates", "duplicates"))
REVERSE = {"blocks": "is blocked by", "relates": "relates to", "duplicates": "is duplicated by"}
RESOLUTIONS = (("completed", "Completed"), ("duplicate", "Duplicate"), ("declined", "Declined"))
ESTIMATES = (1, 2, 4, 6, 8, 12, 16, 24, 40)
DIGESTS = (("never", "Never"), ("daily", "Every day"), ("weekly", "Once a week"))
LANDINGS = (("dashboard", "Dashboard"), ("issues", "Issue list"), ("board", "Board"))
SWITCHES = (
    ("mail_assigned", "Issues assigned to me", "An e-mail when somebody gives you an issue"),
    ("mail_comments", "Comments on my issues", "An e-mail for each new comment"),
    ("mail_due", "Due date reminders", "Two days before an issue is due"),
    ("mail_watched", "Changes to watched issues", "An e-mail when a watched issue changes"),
    ("desktop", "Desktop notifications", "Small messages while this site is open"),
)


class Person(Record, frozen=True):
    """Somebody who works with the tracker."""

    id: str
    name: str
    role: str
    place: str
    extension: str
    joined: str
    about: str


class Project(Record, frozen=True):
    """A project; its key begins the keys of its issues."""

    key: str
    name: str
    about: str
    components: tuple[str, ...]
    lead: str
    members: tuple[str, ...]


class Milestone(Record, frozen=True):
    """A span of time with a goal."""

    id: str
    project: str
    name: str
    goal: str
    start: str
    end: str
    lead: str


class Detail(Record, frozen=True):
    """A fact that the description of an issue mentions."""

    name: str
    value: str
    unit: str = ""
    other: str = ""
    """A value of the same kind that is mentioned beside it."""


class Comment(Record, frozen=True):
    """A comment on an issue."""

    author: str
    date: str
    text: str


class Relation(Record, frozen=True):
    """A link from one issue to another."""

    kind: str
    key: str


class Work(Record, frozen=True):
    """Time spent on an issue."""

    author: str
    date: str
    hours: int
    note: str = ""


class Issue(Record, frozen=True):
    """An issue, as it is or as the session left it."""

    key: str
    project: str
    title: str
    body: tuple[str, ...]
    kind: str
    status: str
    priority: str
    assignee: str
    reporter: str
    component: str
    created: str
    updated: str
    labels: tuple[str, ...] = ()
    milestone: str = ""
    estimate: int = 0
    due: str = ""
    resolution: str = ""
    watchers: int = 0
    votes: int = 0
    watching: bool = False
    voted: bool = False
    locked: bool = False
    relations: tuple[Relation, ...] = ()
    comments: tuple[Comment, ...] = ()
    work: tuple[Work, ...] = ()
    files: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    subject: str = ""
    """Issues that share it have similar titles."""


class Release(Record, frozen=True):
    """Something that was given out, with what changed in it."""

    id: str
    project: str
    name: str
    date: str
    manager: str
    summary: str
    issues: tuple[str, ...]


class Saying(Record, frozen=True):
    """A fact of a handbook page."""

    ask: str
    sentence: str
    value: str
    others: tuple[str, ...]


class Article(Record, frozen=True):
    """A page of the handbook."""

    slug: str
    title: str
    opening: str
    sayings: tuple[Saying, ...]
    owner: str
    updated: str
    habits: tuple[str, ...]
    """What it says besides."""


class Filter(Record, frozen=True):
    """A view of the issue list that somebody saved."""

    name: str
    query: dict[str, str]


class Settings(Record, frozen=True):
    """What the person who is signed in chose for themselves."""

    project: str
    zone: str
    digest: str
    landing: str
    mail_assigned: bool
    mail_comments: bool
    mail_due: bool
    mail_watched: bool
    desktop: bool


class Term(Record, frozen=True):
    """An option with an id: a status, a priority, a type."""

    id: str
    name: str


@dataclass(frozen=True)
class World:
    """Everything in a tracker before anyone touched it."""

    seed: str
    team: str
    tagline: str
    today: str
    me: str
    statuses: tuple[Term, ...]
    priorities: tuple[Term, ...]
    kinds: tuple[Term, ...]
    labels: tuple[str, ...]
    zones: tuple[str, ...]
    people: tuple[Person, ...]
    projects: tuple[Project, ...]
    milestones: tuple[Milestone, ...]
    issues: tuple[Issue, ...]
    releases: tuple[Release, ...]
    articles: tuple[Article, ...]
    filters: tuple[Filter, ...]
    settings: Settings
    milestone_word: str
    release_word: str

    @cached_property
    def person(self) -> dict[str, Person]:
        return {one.id: one for one in self.people}

    @cached_property
    def project(self) -> dict[str, Project]:
        return {one.key: one for one in self.projects}

    @cached_property
    def milestone(self) -> dict[str, Milestone]:
        return {one.id: one for one in self.milestones}

    @cached_property
    def issue(self) -> dict[str, Issue]:
        return {one.key: one for one in self.issues}

    @cached_property
    def release(self) -> dict[str, Release]:
        return {one.id: one for one in self.releases}

    @cached_property
    def article(self) -> dict[str, Article]:
        return {one.slug: one for one in self.articles}

    @cached_property
    def status(self) -> dict[str, str]:
        return {one.id: one.name for one in self.statuses}

    @cached_property
    def priority(self) -> dict[str, str]:
        return {one.id: one.name for one in self.priorities}

    @cached_property
    def kind(self) -> dict[str, str]:
        return {one.id: one.name for one in self.kinds}

    @property
    def over(self) -> str:
        """The status of issues that are done with."""
        return self.statuses[-1].id

    def name(self, person: str) -> str:
        """A person's name, or that there is none."""
        return self.person[person].name if person in self.person else "Unassigned"

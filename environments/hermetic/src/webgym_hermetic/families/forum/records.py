"""What there is on a forum before anyone touched it."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.base import Record
from webgym_hermetic.families.forum.communities.bank import Bank


class Figure(Record, frozen=True):
    """A number that somebody gives for something."""

    what: str
    value: float
    form: str
    """How it is written: "{} cm"."""

    @property
    def number(self) -> str:
        return f"{self.value:g}"

    @property
    def text(self) -> str:
        text = self.form.format(self.number)
        return text.removesuffix("s") if self.value == 1 and not text.endswith("/s") else text


class Post(Record, frozen=True):
    """One post of a thread; the first one is what the thread is about."""

    id: str
    """`<thread>-<number>`."""
    author: str
    at: str
    text: str
    votes: int = 0
    quote: str = ""
    """Id of an earlier post that it quotes."""
    figures: tuple[Figure, ...] = ()
    cause: str = ""
    """What it blames for a trouble."""


class Poll(Record, frozen=True):
    """A question to all readers of a thread."""

    options: tuple[str, ...]
    votes: tuple[int, ...]
    closes: str


class Thread(Record, frozen=True):
    """A discussion."""

    id: str
    board: str
    title: str
    author: str
    tags: tuple[str, ...]
    posts: tuple[Post, ...]
    kind: str
    """figure, trouble, sale, project, poll, chat or notice."""
    views: int = 0
    pinned: bool = False
    locked: bool = False
    accepted: str = ""
    """Id of the post that answers the question."""
    poll: Poll | None = None

    @property
    def at(self) -> str:
        return self.posts[0].at

    @property
    def path(self) -> str:
        return f"/thread/{self.id}"


class Board(Record, frozen=True):
    """A part of the forum."""

    slug: str
    name: str
    about: str
    icon: str

    @property
    def path(self) -> str:
        return f"/board/{self.slug}"


class Member(Record, frozen=True):
    """Somebody with an account."""

    handle: str
    role: str
    joined: str
    location: str
    posts: int
    reputation: int
    gear: str
    signature: str
    badges: tuple[str, ...]
    online: bool = False

    @property
    def path(self) -> str:
        return f"/member/{self.handle}"


class Rule(Record, frozen=True):
    """A rule of the forum that has a number in it."""

    id: str
    section: str
    text: str
    question: str
    """What one might want to know: "how long a post can be edited"."""
    value: int
    unit: str


class Meetup(Record, frozen=True):
    """Something that takes place."""

    id: str
    title: str
    date: str
    start: str
    venue: str
    town: str
    host: str
    fee: int
    spots: int
    going: int
    about: str

    @property
    def path(self) -> str:
        return f"/event/{self.id}"


class Letter(Record, frozen=True):
    """One private message."""

    author: str
    at: str
    text: str
    figures: tuple[Figure, ...] = ()


class Conversation(Record, frozen=True):
    """Private messages with one other member."""

    id: str
    subject: str
    other: str
    letters: tuple[Letter, ...]

    @property
    def path(self) -> str:
        return f"/messages/{self.id}"


class Notification(Record, frozen=True):
    """Something that happened to the member who looks at the page."""

    id: str
    icon: str
    who: str
    text: str
    link: str
    at: str


@dataclass(frozen=True, slots=True)
class World:
    """A forum."""

    bank: Bank
    today: str
    me: Member
    """Who is signed in."""
    boards: tuple[Board, ...]
    members: tuple[Member, ...]
    threads: tuple[Thread, ...]
    meetups: tuple[Meetup, ...]
    rules: tuple[Rule, ...]
    conversations: tuple[Conversation, ...]
    notifications: tuple[Notification, ...]
    tags: tuple[str, ...]
    most_tags: int
    least_title: int
    page_size: int
    """Posts on a page of a thread."""
    list_size: int
    """Threads on a page of a list."""
    board_of: dict[str, Board]
    member_of: dict[str, Member]
    thread_of: dict[str, Thread]
    meetup_of: dict[str, Meetup]

"""What a mailbox is made of."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

DetailKind = Literal["money", "number", "date", "time", "text"]


REMINDERS: tuple[tuple[int, str], ...] = (
    (0, "None"),
    (5, "5 minutes before"),
    (15, "15 minutes before"),
    (30, "30 minutes before"),
    (60, "1 hour before"),
    (1440, "1 day before"),
)
LENGTHS: tuple[tuple[int, str], ...] = (
    (15, "15 min"),
    (30, "30 min"),
    (45, "45 min"),
    (60, "1 h"),
    (90, "1 h 30 min"),
    (120, "2 h"),
)


class Attachment(Record, frozen=True):
    """A file of a message."""

    name: str
    kilobytes: int

    @property
    def size(self) -> str:
        return f"{self.kilobytes} KB" if self.kilobytes < 1000 else f"{self.kilobytes / 1000:.1f} MB"


class Person(Record, frozen=True):
    """A contact."""

    id: str
    name: str
    email: str
    phone: str = ""
    company: str = ""
    role: str = ""
    birthday: str = ""
    """ISO date, or nothing."""
    city: str = ""
    group: str = ""
    notes: str = ""


class Detail(Record, frozen=True):
    """Something a conversation says, that somebody may want to know."""

    name: str
    """Conversations of one topic share the names of their details."""
    ask: str
    """Completes "tell me ...": "the total of the order"."""
    kind: DetailKind
    value: str
    """Amounts with two decimals, ISO dates, times as 14:30, words as they stand in the message."""
    rivals: tuple[str, ...] = ()
    """What the conversation also says and is not it: the room before it was changed."""


class Message(Record, frozen=True):
    """One message of a conversation."""

    id: str
    name: str
    """Of its sender."""
    address: str
    to: tuple[str, ...]
    sent: str
    """As 2026-03-14T09:32."""
    body: tuple[str, ...]
    """Paragraphs."""
    cc: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    own: bool = False
    """Written by the owner of the mailbox."""
    priority: str = "normal"
    receipt: bool = False
    scheduled: str = ""
    """ISO date on which it will be sent, or nothing."""


class Thread(Record, frozen=True):
    """A conversation: one message, or several that answer each other."""

    id: str
    topic: str
    subject: str
    messages: tuple[Message, ...]
    folder: str
    unread: bool = False
    starred: bool = False
    labels: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()

    @property
    def other(self) -> Message:
        """The first message of somebody else, or the first one."""
        return next((message for message in self.messages if not message.own), self.messages[0])

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        return tuple(one for message in self.messages for one in message.attachments)


class Draft(Record, frozen=True):
    """A message that was not sent yet."""

    id: str
    to: str
    subject: str
    body: str
    saved: str
    cc: str = ""
    priority: str = "normal"
    receipt: bool = False
    scheduled: str = ""


class Occasion(Record, frozen=True):
    """An event of the calendar."""

    id: str
    title: str
    date: str
    start: str
    """As 14:30."""
    minutes: int
    location: str
    guests: tuple[str, ...] = ()
    """Addresses."""
    reminder: int = 10
    """Minutes before; 0: none."""
    calendar: str = "Work"
    notes: str = ""
    cancelled: bool = False

    @property
    def ends(self) -> str:
        """As 15:30."""
        minutes = int(self.start[:2]) * 60 + int(self.start[3:]) + self.minutes
        return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"

    @property
    def reminds(self) -> str:
        return dict(REMINDERS).get(self.reminder, f"{self.reminder} minutes before")


class Rule(Record, frozen=True):
    """What is done with incoming messages of a kind."""

    id: str
    field: str
    """Where to look: from or subject."""
    text: str
    action: str
    """One of `ACTIONS`."""
    label: str = ""
    """For the action "label"."""
    on: bool = True


class World(Record, frozen=True):
    """A mailbox as its owner finds it."""

    today: str
    owner: Person
    company: str
    people: tuple[Person, ...]
    threads: tuple[Thread, ...]
    drafts: tuple[Draft, ...]
    occasions: tuple[Occasion, ...]
    rules: tuple[Rule, ...]
    blocked: tuple[str, ...]
    labels: tuple[str, ...]
    signature: str
    page_size: int

    def thread(self, key: str) -> Thread:
        return next(one for one in self.threads if one.id == key)

    def person(self, key: str) -> Person:
        return next(one for one in self.people if one.id == key)

    def occasion(self, key: str) -> Occasion:
        return next(one for one in self.occasions if one.id == key)

    def named(self, address: str) -> str:
        """The name that belongs to an address, or the address."""
        if address == self.owner.email:
            return self.owner.name
        return next((one.name for one in self.people if one.email == address), address)


def label_slug(name: str) -> str:
    """A label's name in addresses."""
    return name.lower().replace(" ", "-")


FOLDERS: tuple[tuple[str, str, str], ...] = (
    ("inbox", "Inbox", "inbox"),
    ("sent", "Sent", "send"),
    ("drafts", "Drafts", "file-text"),
    ("archive", "Archive", "archive"),
    ("spam", "Spam", "alert"),
    ("trash", "Trash", "trash"),
)
"""Name in addresses, name on pages, icon."""
PLACES = ("inbox", "archive", "spam", "trash")
"""Folders a conversation can be moved to."""
ACTIONS: tuple[tuple[str, str], ...] = (
    ("archive", "Skip the inbox (archive it)"),
    ("star", "Star it"),
    ("read", "Mark it as read"),
    ("trash", "Move it to the trash"),
    ("label", "Add a label"),
)

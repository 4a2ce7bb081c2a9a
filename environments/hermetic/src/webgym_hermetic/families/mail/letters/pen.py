"""How conversations are written down before they get their place in a mailbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.mail.records import Attachment, Detail, DetailKind, Person
from webgym_hermetic.families.mail.words import mail_words


@dataclass(frozen=True, slots=True)
class Voice:
    """Who writes."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a plot."""

    voice: Voice | None
    """None: the owner of the mailbox."""
    body: tuple[str, ...]
    attachments: tuple[Attachment, ...] = ()
    to: tuple[str, ...] = ()
    """Besides the owner; of the owner's own messages, everybody."""
    wait: int = 0
    """Minutes since the one before."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A conversation without a place and a time."""

    topic: str
    subject: str
    lines: tuple[Line, ...]
    details: tuple[Detail, ...] = ()
    labels: tuple[str, ...] = ()
    """Labels that would suit it."""


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws what plots are made of."""

    rng: Rng
    today: date
    """When the first message of the plot is written."""
    owner: Person
    people: tuple[Person, ...]
    company: str
    used: dict[str, int] = field(default_factory=dict[str, int])
    """How often each subject was drawn, so that none is drawn twice."""

    def say(self, *options: str) -> str:
        return self.rng.pick(options)

    def code(self, pattern: str) -> str:
        """`#` becomes a digit, `@` a letter that cannot be taken for one."""
        return "".join(
            str(self.rng.below(10)) if c == "#" else self.rng.pick("ABCDEFHJKLMNPRTUVWXY") if c == "@" else c
            for c in pattern
        )

    def cents(self, low: int, high: int) -> int:
        """An amount between so many whole units."""
        return self.rng.between(low, high) * 100 + self.rng.pick((0, 25, 40, 49, 50, 60, 75, 80, 90, 95, 99))

    def day(self, low: int, high: int) -> str:
        """A date so many days later."""
        return (self.today + timedelta(days=self.rng.between(low, high))).isoformat()

    def workday(self, low: int, high: int) -> str:
        day = self.today + timedelta(days=self.rng.between(low, high))
        return (day + timedelta(days=(7 - day.weekday()) if day.weekday() > 4 else 0)).isoformat()

    def time(self, first: int, last: int) -> str:
        return f"{self.rng.between(first, last):02d}:{self.rng.pick(('00', '15', '30', '45'))}"

    def room(self) -> str:
        room = self.rng.pick(mail_words().rooms)
        return f"{room} {self.rng.between(1, 4)}{self.rng.between(0, 2)}{self.rng.between(1, 9)}"

    def street(self) -> str:
        return f"{self.rng.between(3, 198)} {self.rng.pick(mail_words().streets)}, {self.rng.pick(mail_words().cities)}"

    def person(self, *groups: str) -> Person:
        return self.rng.pick([one for one in self.people if one.group in groups] or self.people)

    def others(self, group: str, count: int) -> list[Person]:
        return self.rng.sample([one for one in self.people if one.group == group], count)

    def unused(self, subject: str) -> bool:
        """Whether the subject is new; from now on it is not."""
        self.used[subject] = self.used.get(subject, 0) + 1
        return self.used[subject] == 1

    def file(self, name: str, low: int = 40, high: int = 3800) -> Attachment:
        return Attachment(name, self.rng.between(low, high))

    @property
    def hello(self) -> str:
        first = self.owner.name.partition(" ")[0]
        return self.rng.pick((f"Hi {first},", f"Hello {first},", f"Dear {first},"))

    @property
    def hey(self) -> str:
        first = self.owner.name.partition(" ")[0]
        return self.rng.pick((f"Hi {first},", f"Hey {first},", f"{first},"))


def voice(person: Person) -> Voice:
    return Voice(person.name, person.email)


def house(name: str, box: str) -> Voice:
    """A sender that is no person: a shop, a bank."""
    return Voice(name, f"{box}@{slug(name)}.com")


def slug(name: str) -> str:
    return "".join(c for c in name.lower().replace("&", "and") if c.isalnum())


def first(person: Person) -> str:
    return person.name.partition(" ")[0]


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def decimal(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def spoken(iso: str) -> str:
    """As "Tuesday, March 17"."""
    day = date.fromisoformat(iso)
    return f"{day:%A}, {day:%B} {day.day}"


def short(iso: str) -> str:
    """As "March 17"."""
    day = date.fromisoformat(iso)
    return f"{day:%B} {day.day}"


def after(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()


def detail(name: str, ask: str, kind: DetailKind, value: str, rivals: Sequence[str] = ()) -> Detail:
    return Detail(name, ask, kind, value, tuple(rivals))


def swapped(number: str) -> str:
    """A number that is easily taken for this one: two neighbouring digits changed places."""
    for index in range(len(number) - 1, 0, -1):
        one, other = number[index - 1], number[index]
        if one != other and one.isdigit() and other.isdigit():
            return number[: index - 1] + other + one + number[index + 1 :]
    return number[:-1] + str((int(number[-1]) + 1) % 10)

"""Goals that end in an answer: go and look, then say it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from webgym_hermetic.answers import says_date, says_text
from webgym_hermetic.families.shop.goals.said import numeric, says_value
from webgym_hermetic.families.shop.goals.steps import look, walk
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

VERBS = ("find out", "tell me", "look up", "check and report")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked, what is true, and where it says so."""

    label: str
    """`the return period`: begins the answer."""
    truth: str
    trail: tuple[str, ...]
    """Pages that lead there; the last one shows it."""
    key: str
    """Test id of what shows it."""
    rivals: tuple[str, ...] = ()
    """Values it could be mixed up with."""
    spellings: tuple[str, ...] = ()
    """Other ways to write it."""
    asked: tuple[str, ...] = ()
    """Wordings that can follow `tell me`."""
    money: bool = False
    day: bool = False


class Question(Goal, frozen=True):
    """One thing to find out."""

    @abstractmethod
    def subject(self, world: World) -> Subject: ...

    @abstractmethod
    def claimed(self) -> str:
        """What is said instead of the truth, if anything."""
        ...

    @abstractmethod
    def claiming(self, claim: str) -> Question:
        """The same goal with a false answer."""
        ...

    def facts(self, world: World) -> tuple[Fact, ...]:
        about = self.subject(world)
        return (Fact("answer", f"The answer says that {about.label} is {_shown(about, about.truth)}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        about = self.subject(end.world)
        if about.day:
            return says_date(end.answer, about.truth) and not any(says_date(end.answer, day) for day in about.rivals)
        return says_value(end.answer, about.truth, about.rivals) or any(
            says_text(end.answer, spelling, rivals=about.rivals) for spelling in about.spellings
        )

    def next(self, view: View) -> Intent | None:
        about = self.subject(view.world)
        page = about.trail[-1]
        if view.path == page:
            return look(view, about.key)
        return None if view.visited(page) else walk(view, *about.trail)

    def spoil(self, fact: str, world: World) -> Question:
        del fact
        about = self.subject(world)
        others = [value for value in about.rivals if value != about.truth]
        return self.claiming(others[0] if others else _other(about.truth))

    def clauses(self, world: World) -> tuple[str, ...]:
        asked = self.subject(world).asked
        return tuple(f"{verb} {asked[index % len(asked)]}" for index, verb in enumerate(VERBS))

    def answer(self, world: World) -> str:
        about = self.subject(world)
        said = _shown(about, self.claimed() or about.truth)
        return f"{about.label[0].upper()}{about.label[1:]}: {said}."


def _shown(about: Subject, value: str) -> str:
    return f"${value}" if about.money else value


def _other(truth: str) -> str:
    number = numeric(truth)
    return "not stated" if number is None else f"{number + 3:g}"


def dollars(cents: int) -> str:
    """An amount as it is compared: `1299.50`."""
    return f"{cents // 100}.{cents % 100:02d}"


def distinct(values: Iterable[str], truth: str, most: int = 6) -> tuple[str, ...]:
    """Values other than the truth, each once."""
    return tuple(value for value in dict.fromkeys(values) if value and value != truth)[:most]

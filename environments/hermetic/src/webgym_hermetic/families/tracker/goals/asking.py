"""Goals that find something out: what is asked, what would be wrong, how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from webgym.records.base import Record
from webgym_hermetic.answers import says_date, says_number, says_text
from webgym_hermetic.families.tracker.records import World
from webgym_hermetic.goal import End, Fact, Goal


class Asked(Record, frozen=True):
    """One thing to find out."""

    name: str
    """In words: "the due date"."""
    value: str
    wrong: str
    """What somebody who did not look well would say."""
    kind: Literal["text", "number", "date"] = "text"
    rivals: tuple[str, ...] = ()
    """Values that must not be in the answer as well."""
    claim: str = ""
    """What is said instead of the value."""

    def said(self) -> str:
        """A sentence with the value."""
        return f"{self.name[:1].upper()}{self.name[1:]} is {self.claim or self.value}."

    def is_in(self, answer: str) -> bool:
        """Whether an answer says it."""
        match self.kind:
            case "number":
                return says_number(answer, float(self.value), rivals=tuple(float(one) for one in self.rivals))
            case "date":
                return says_date(answer, self.value) and not any(says_date(answer, one) for one in self.rivals)
            case "text":
                spellings = dict.fromkeys((self.value, _short_time(self.value)))
                return any(says_text(answer, one, rivals=self.rivals) for one in spellings)


def _short_time(value: str) -> str:
    return value[1:] if len(value) == 5 and value[0] == "0" and value[2] == ":" else value


class Ask(Goal, frozen=True):
    """A goal whose facts are all in the answer."""

    asked: tuple[Asked, ...]

    def facts(self, world: World) -> tuple[Fact, ...]:
        """One per thing asked."""
        about = self.about(world)
        return tuple(Fact(one.name, f"The answer says that {one.name}{about} is {one.value}.") for one in self.asked)

    def about(self, world: World) -> str:
        """Of what it is asked, to follow the name of a thing asked."""
        del world
        return ""

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer says it."""
        return self._named(fact).is_in(end.answer)

    def answer(self, world: World) -> str:
        """All of it, in short sentences."""
        del world
        return " ".join(one.said() for one in self.asked)

    def spoil(self, fact: str, world: World) -> Goal:
        """With a wrong claim."""
        del world
        claimed = tuple(replace(one, claim=one.wrong) if one.name == fact else one for one in self.asked)
        return replace(self, asked=claimed)

    def _named(self, fact: str) -> Asked:
        return next(one for one in self.asked if one.name == fact)

    def question(self) -> str:
        """What is asked, in words."""
        names = [one.name for one in self.asked]
        return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def sound(goals: Sequence[Goal], world: World) -> bool:
    """Whether the answers of goals can be told apart: each alone can be right or wrong."""
    asks = [one for one in goals if isinstance(one, Ask)]
    facts = [(index, fact.name) for index, one in enumerate(asks) for fact in one.asked]
    if _wrong(asks, asks, facts, world):
        return False
    for index, name in facts:
        spoiled = [one.spoil(name, world) if at == index else one for at, one in enumerate(asks)]
        if _wrong(asks, spoiled, facts, world) != [(index, name)]:
            return False
    return True


def _wrong(
    asks: Sequence[Ask], run: Sequence[Goal], facts: Sequence[tuple[int, str]], world: World
) -> list[tuple[int, str]]:
    end = End(world, None, (), " ".join(one.answer(world) for one in run))
    return [(index, name) for index, name in facts if not asks[index].holds(name, end)]

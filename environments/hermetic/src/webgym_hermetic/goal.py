"""Goals, the units of tasks: a rubric fact group with its exact verifier and its oracle."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from webgym.records.base import Record, Variant
from webgym.rng import Rng
from webgym_hermetic.view import Intent, View


class Fact(Record, frozen=True):
    """A rubric fact: a statement that holds at the end of a successful attempt."""

    name: str
    """Unique within its goal."""
    text: str
    """One sentence, for people and model judges, that screenshots or the answer can confirm."""


@dataclass(frozen=True, slots=True)
class End:
    """The outcome of an attempt: the site's final state, the pages visited and the answer."""

    world: Any
    state: Any
    visits: tuple[str, ...]
    """Path and query of every page shown, oldest first; the last one is the current page."""
    answer: str


class Goal(Variant, frozen=True):
    """One thing to do or to find out on a site. Its fields say which; each requirement is one fact."""

    @abstractmethod
    def facts(self, world: Any) -> tuple[Fact, ...]:
        """Return the facts that must hold at the end."""
        ...

    @abstractmethod
    def holds(self, fact: str, end: End) -> bool:
        """Return whether a fact holds. Facts are judged independently of each other."""
        ...

    @abstractmethod
    def next(self, view: View) -> Intent | None:
        """Return the oracle's next intent from any state of the session; None when only the answer is left."""
        ...

    @abstractmethod
    def spoil(self, fact: str, world: Any) -> Goal:
        """Return a variant of the goal whose oracle satisfies every fact except this one."""
        ...

    @abstractmethod
    def clauses(self, world: Any) -> tuple[str, ...]:
        """Return alternative wordings of the request: imperative, self-contained, lower-case start, no full stop."""
        ...

    def answer(self, world: Any) -> str:
        """Return the goal's part of the final answer; empty if it only changes the site."""
        del world
        return ""

    def clause(self, world: Any, rng: Rng) -> str:
        return rng.pick(self.clauses(world))

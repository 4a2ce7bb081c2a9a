"""One thing to do or to find out on a site: a fact group, its exact checks and its oracle."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from webgym.records.base import Record, Variant
from webgym.sites.rng import Rng
from webgym.sites.view import Intent, View


class Fact(Record, frozen=True):
    """Something that is true at the end of a successful attempt."""

    name: str
    """Unique within its errand."""
    text: str
    """For people and for model judges: one sentence that screenshots or the answer can confirm."""


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ended, as the site knows it."""

    world: Any
    state: Any
    visits: tuple[str, ...]
    """Path and query of every page shown, oldest first; the last one is where the session is."""
    answer: str


class Errand(Variant, frozen=True):
    """A fact group. Its fields say what is wanted; each wanted thing is one fact."""

    @abstractmethod
    def facts(self, world: Any) -> tuple[Fact, ...]:
        """What must be true at the end."""
        ...

    @abstractmethod
    def holds(self, fact: str, end: End) -> bool:
        """Whether one of the facts is true. Facts are judged independently of each other."""
        ...

    @abstractmethod
    def next(self, view: View) -> Intent | None:
        """What to do next, from wherever the session is; None when nothing is left to do but answer."""
        ...

    @abstractmethod
    def spoil(self, fact: str, world: Any) -> Errand:
        """The errand to run instead to get everything right except that fact."""
        ...

    @abstractmethod
    def clauses(self, world: Any) -> tuple[str, ...]:
        """Several wordings of the request: imperative, complete in itself, no capital at the start, no full stop."""
        ...

    def answer(self, world: Any) -> str:
        """What it adds to the final answer; nothing if it only changes the site."""
        del world
        return ""

    def clause(self, world: Any, rng: Rng) -> str:
        return rng.pick(self.clauses(world))

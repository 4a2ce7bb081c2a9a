"""How an attempt is judged: fact by fact."""

from __future__ import annotations

from webgym.records.base import Record


class FactVerdict(Record, frozen=True):
    """Whether one fact of a task's rubric holds."""

    group: int
    """Of the rubric, by its id."""
    fact: int
    """Of the group, counted from 0."""
    holds: bool


class Verdict(Record, frozen=True):
    """A judge's word on one attempt."""

    facts: tuple[FactVerdict, ...]

    @property
    def success(self) -> bool:
        """Whether every fact holds. No facts, no success."""
        return bool(self.facts) and all(one.holds for one in self.facts)

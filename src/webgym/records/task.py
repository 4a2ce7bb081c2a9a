"""Tasks: an instruction and the rubric that decides success."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

Level = Literal["easy", "medium", "hard"]
MOST_EASY_FACTS = 3
MOST_MEDIUM_FACTS = 6
TASK_VERSION = 1


class FactGroup(Record, frozen=True):
    """Related facts of a rubric: one thing to do or to find out."""

    id: int
    description: str
    facts: tuple[str, ...]


class Task(Record, frozen=True):
    """One task on one website."""

    task_id: str
    instruction: str
    website: str
    """Start URL."""
    rubric: tuple[FactGroup, ...]
    """An attempt succeeds if every fact of every group holds."""
    benchmark: str = ""
    domain: str = ""
    subdomain: str = ""
    split: str = ""
    template: str = ""
    """The template of a generated task."""
    exact: str = ""
    """Data for the site's own judge and oracle, as JSON; empty if the site has none."""
    decomposed_from: str | None = None
    reference: str = ""
    """The reference answer, for the judge; empty if there is none."""
    site: str = ""
    """What reports call the place; empty: the host of `website`. Several applications may be served by one host."""
    version: int = TASK_VERSION

    @property
    def difficulty(self) -> int:
        """The number of facts."""
        return sum(len(group.facts) for group in self.rubric)

    @property
    def level(self) -> Level:
        return level_of(self.difficulty)


def level_of(facts: int) -> Level:
    """Return the level for a number of facts: easy up to 3, medium up to 6, else hard."""
    if facts <= MOST_EASY_FACTS:
        return "easy"
    return "medium" if facts <= MOST_MEDIUM_FACTS else "hard"

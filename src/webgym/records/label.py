"""What a person says about an attempt, after the judge did: about one fact of it, or about all of it."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

LABEL_VERSION = 1

Word = Literal["supported", "contradicted", "not_shown", "success", "failure", "blocked", "unsure", "withdrawn"]
FACT_WORDS: tuple[Word, ...] = ("supported", "contradicted", "not_shown", "unsure", "withdrawn")
"""What can be said of a fact; `unsure` is no verdict, `withdrawn` takes back what was said before."""
ATTEMPT_WORDS: tuple[Word, ...] = ("success", "failure", "blocked", "unsure", "withdrawn")
"""What can be said of a whole attempt."""


class FactRef(Record, frozen=True):
    """One fact of a task's rubric."""

    group: int
    """Of the rubric, by its id."""
    fact: int
    """Of the group, counted from 0."""


class Label(Record, frozen=True, omit_defaults=False):
    """One judgement by a person. The newest of the same person on the same thing counts."""

    attempt_id: str
    verdict: Word
    who: str
    when: float
    """Seconds since 1970."""
    about: FactRef | None = None
    """Which fact; None: the whole attempt."""
    note: str = ""
    """Why, in the person's own words."""
    overruled: str = ""
    """What the judge had said, as it was shown to the person; empty if nothing was shown."""
    version: int = LABEL_VERSION

    @property
    def fitting(self) -> bool:
        """Whether its word is one that can be said of what it is about."""
        return self.verdict in (ATTEMPT_WORDS if self.about is None else FACT_WORDS)

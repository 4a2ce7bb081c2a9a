"""Human labels of judged attempts: of one fact, or of the whole attempt."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

LABEL_VERSION = 1

Word = Literal["supported", "contradicted", "not_shown", "success", "failure", "blocked", "unsure", "withdrawn"]
FACT_WORDS: tuple[Word, ...] = ("supported", "contradicted", "not_shown", "unsure", "withdrawn")
"""Labels for a fact. `unsure` is no verdict; `withdrawn` retracts the person's earlier label."""
ATTEMPT_WORDS: tuple[Word, ...] = ("success", "failure", "blocked", "unsure", "withdrawn")
"""Labels for a whole attempt."""


class FactRef(Record, frozen=True):
    """One fact of a task's rubric."""

    group: int
    """Id of the fact group in the rubric."""
    fact: int
    """Index in the group, from 0."""


class Label(Record, frozen=True, omit_defaults=False):
    """One label by a person. For the same person and the same fact or attempt, the newest counts."""

    attempt_id: str
    verdict: Word
    who: str
    when: float
    """Unix time in seconds."""
    about: FactRef | None = None
    """The labelled fact; None for the whole attempt."""
    note: str = ""
    """The person's reasons."""
    overruled: str = ""
    """The judge's finding as shown to the person; empty if none was shown."""
    version: int = LABEL_VERSION

    @property
    def fitting(self) -> bool:
        """Whether the verdict is valid for what is labelled, a fact or an attempt."""
        return self.verdict in (ATTEMPT_WORDS if self.about is None else FACT_WORDS)

"""What became of every attempt: submitted = the sum over all outcomes, and what is still open."""

from __future__ import annotations

import collections

from webgym.records.base import Record
from webgym.records.trajectory import OUTCOME_KINDS, Outcome, OutcomeKind, outcome_kind


class Totals(Record, frozen=True):
    """Attempts by what became of them."""

    submitted: int
    outcomes: dict[OutcomeKind, int]

    @property
    def open(self) -> int:
        """Neither ended nor given up."""
        return self.submitted - sum(self.outcomes.values())


class Tally:
    """Counts attempts in and out."""

    def __init__(self) -> None:
        self._submitted = 0
        self._outcomes: collections.Counter[OutcomeKind] = collections.Counter()

    def submitted(self, attempts: int) -> None:
        self._submitted += attempts

    def ended(self, outcome: Outcome) -> None:
        self._outcomes[outcome_kind(outcome)] += 1

    @property
    def totals(self) -> Totals:
        return Totals(self._submitted, {kind: self._outcomes[kind] for kind in OUTCOME_KINDS})

"""Counts of attempts by outcome. Invariant: submitted = sum over all outcomes + open."""

from __future__ import annotations

import collections

from webgym.records.base import Record
from webgym.records.trajectory import OUTCOME_KINDS, Outcome, OutcomeKind, outcome_kind


class Totals(Record, frozen=True):
    """Numbers of attempts submitted and ended, by outcome."""

    submitted: int
    outcomes: dict[OutcomeKind, int]

    @property
    def open(self) -> int:
        """Attempts that have not ended yet."""
        return self.submitted - sum(self.outcomes.values())


class Tally:
    """Counts attempts as they are submitted and end."""

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

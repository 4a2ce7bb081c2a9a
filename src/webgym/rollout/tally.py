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

    @property
    def masked_share(self) -> float:
        """Of what ended: the share without a reward, through no doing of the agent."""
        ended = sum(self.outcomes.values())
        graded = sum(self.outcomes[kind] for kind in ("success", "failure", "truncated"))
        return (ended - graded) / ended if ended else 0.0


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

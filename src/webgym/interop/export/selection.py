"""Selects the attempts to export, and counts what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from webgym.records.base import Record
from webgym.records.trajectory import OutcomeKind, Trajectory
from webgym.store.read import Run

GRADED: tuple[OutcomeKind, ...] = ("success", "failure", "truncated")
"""The outcomes exported by default. The others say nothing about the agent."""


class ExportSummary(Record, frozen=True, omit_defaults=False):
    """What an export wrote and what it left out."""

    path: str
    attempts: int
    samples: int
    """Lines, rows or files, depending on the format."""
    images: int
    left_out: dict[str, int]
    """Counts by reason."""


class Selection:
    """Iterates over the attempts with the given outcomes, and counts what is left out."""

    def __init__(self, run: Run, outcomes: Collection[OutcomeKind] = GRADED) -> None:
        self.run = run
        rows = run.rows()
        self.chosen = [row.attempt_id for row in rows if row.outcome in outcomes]
        others = Counter(row.outcome or "unfinished" for row in rows if row.outcome not in outcomes)
        self.left_out: Counter[str] = Counter({f"{kind} attempts": count for kind, count in others.items()})

    def __len__(self) -> int:
        return len(self.chosen)

    def __iter__(self) -> Iterator[Trajectory]:
        for attempt_id in self.chosen:
            yield self.run.trajectory(attempt_id)

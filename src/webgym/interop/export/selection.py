"""Which attempts of a run are exported, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from webgym.records.base import Record
from webgym.records.trajectory import OutcomeKind, Trajectory
from webgym.store.read import Run

GRADED: tuple[OutcomeKind, ...] = ("success", "failure", "truncated")
"""What is exported unless said otherwise: the rest says nothing about the agent."""


class Exported(Record, frozen=True, omit_defaults=False):
    """What an export wrote, and what it left out."""

    path: str
    attempts: int
    samples: int
    """Lines, rows or files, as the format has it."""
    images: int
    left_out: dict[str, int]
    """How many, by why."""


class Selection:
    """Attempts that ended as asked, one at a time; counts what is left out on the way."""

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

"""How long a run is, which of its weights are evaluated and which are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion
from webgym.run.folders import Folders
from webgym.run.run_length import RunLength


@dataclass(frozen=True, slots=True)
class Schedule:
    """Length of the run, evaluation schedule and retention."""

    iterations: int
    every: int
    """Iterations between evaluations; 0: only the first and the last."""
    keep: int
    """Newest versions whose weights and batches are kept; fewer than 2 counts as 2."""
    length: RunLength
    later: bool = False
    """Whether evaluations are deferred."""

    def evaluates(self, iteration: int, *, last: bool) -> bool:
        return last or bool(self.every and iteration % self.every == 0)

    def unevaluated(self, iterations: Sequence[Iteration]) -> list[Iteration]:
        """Return the iterations whose evaluation is due but missing."""
        newest = max((one.iteration for one in iterations), default=0)
        # A run resumed with fewer iterations than it has is past its end: only its newest iteration is the last.
        final = newest if newest >= self.iterations else None
        return [
            one
            for one in iterations
            if one.evaluation is None and self.evaluates(one.iteration, last=one.iteration == final)
        ]

    def deferred(self, iterations: Sequence[Iteration]) -> set[int]:
        """Return the versions whose evaluation is deferred."""
        return {one.version for one in self.unevaluated(iterations)} if self.later else set()


def owed(
    iterations: Sequence[Iteration], schedule: Schedule, folders: Folders, model: Path
) -> list[tuple[int, PolicyVersion]]:
    """Return iteration and weights of each missing evaluation whose weights still exist, the initial `model` first.

    Evaluations are missing before the first iteration, if they were deferred, and if a restart interrupted them.
    """
    if schedule.later:
        return []
    found: list[tuple[int, PolicyVersion]] = []
    if not any(one.iteration == 0 and one.evaluation for one in iterations):
        found.append((0, PolicyVersion(0, str(model.resolve()))))
    for one in schedule.unevaluated(iterations):
        folder = folders.policy(one.version) if one.version else model
        if one.iteration and folder.is_dir():
            found.append((one.iteration, PolicyVersion(one.version, str(folder.resolve()))))
    return found

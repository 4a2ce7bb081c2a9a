"""The curve of a run as it grows: on disk, in memory, in trackers, and told to whoever follows the run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from webgym.curves.file import append
from webgym.curves.tracker import Tracker
from webgym.records.curve import AttemptResults, Iteration
from webgym.records.sample import PolicyVersion
from webgym.run.progress import ProgressListener


@dataclass(frozen=True, slots=True)
class CurveLog:
    """Notes iterations, and adds evaluations to them."""

    path: Path
    iterations: list[Iteration]
    """Finished iterations, in order. Pages show this very list."""
    trackers: Sequence[Tracker]
    progress: ProgressListener
    own: set[int] = field(default_factory=set[int])
    """Iterations that this process noted."""

    @property
    def newest(self) -> int:
        """The last iteration noted; 0 if there is none."""
        return max((one.iteration for one in self.iterations), default=0)

    def note(self, iteration: Iteration, *, evaluation_follows: bool = False) -> None:
        """Note a finished iteration, durably."""
        append(self.path, iteration)
        self.iterations.append(iteration)
        self.own.add(iteration.iteration)
        for tracker in self.trackers:
            tracker.write(iteration)
        (self.progress.on_update if evaluation_follows else self.progress.on_iteration)(iteration)

    def enter(self, iteration: int, policy: PolicyVersion, found: AttemptResults, seconds: float = 0.0) -> Iteration:
        """Add an evaluation to its iteration, by appending the entry again, as the last line counts; return the entry.

        The `seconds` that training waited for it are part of the iteration, unless training went on since.
        """
        place = next((n for n, one in enumerate(self.iterations) if one.iteration == iteration), None)
        is_newest = not self.iterations or iteration >= self.iterations[-1].iteration
        waited = bool(seconds) and is_newest and (place is None or iteration in self.own)
        alone = Iteration(
            iteration=iteration,
            version=policy.version,
            ended=self._ended(iteration),
            train=None,
            learned=None,
            evaluation=found,
            seconds={"evaluate": seconds} if waited else {},
            steps_per_second=0.0,
            tokens_per_second=0.0,
        )
        whole = alone if place is None else _with_evaluation(self.iterations[place], alone)
        append(self.path, whole)
        if place is None:
            self.iterations.append(whole)
            self.iterations.sort(key=lambda one: one.iteration)
        else:
            self.iterations[place] = whole
        for tracker in self.trackers:
            tracker.write(alone)
        return whole

    def _ended(self, iteration: int) -> float:
        """Return the time of an evaluation: the start of the first later iteration, or now if there is none."""
        following = [one.ended - sum(one.seconds.values()) for one in self.iterations if one.iteration > iteration]
        return min([time.time(), *following])


def _with_evaluation(entry: Iteration, alone: Iteration) -> Iteration:
    ended = alone.ended if alone.seconds else entry.ended
    return msgspec.structs.replace(
        entry, evaluation=alone.evaluation, seconds={**entry.seconds, **alone.seconds}, ended=ended
    )

"""How far the weights that sampled something are behind those that learn from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.errors import ConfigError
from webgym.records.prompt import unpack_ids
from webgym.records.trajectory import Step


def oldest_version(steps: Iterable[Step]) -> int | None:
    """Of the policies that sampled these tokens; None if no step says."""
    return min((min(versions) for step in steps if (versions := _versions(step))), default=None)


def _versions(step: Step) -> Sequence[int]:
    completion = step.turn.completion
    if completion is None:
        return ()
    if completion.tokens is not None and completion.tokens.versions:
        return unpack_ids(completion.tokens.versions)
    return () if completion.version is None else (completion.version,)


@dataclass(frozen=True, slots=True)
class Pace:
    """Keeps rollouts from running ahead of the trainer. All counts are groups.

    Groups that are used in the order in which they began are then at most `max_lag` updates old. Long attempts may be
    overtaken, so what is used is checked again.
    """

    groups: int
    """B: for one update."""
    max_lag: int
    """η: 0 is synchronous."""
    most_running: int
    """C: at once, whatever the lag."""
    depth: float | None = None
    """D: batches that are under way or wait to be learned from, at most. Typical lag follows this, and `max_lag` is
    left for stragglers; None: η + 1, which is as much as the lag allows."""

    def __post_init__(self) -> None:
        if self.groups < 1 or self.most_running < 1 or self.max_lag < 0:
            raise ConfigError("a pace needs at least one group, one running at a time, and a lag of 0 or more")
        if self.depth is not None and self.depth < 1:
            raise ConfigError(
                f"a depth of {self.depth:g}: without one whole batch under way there is none to learn from"
            )

    def capacity(self, *, version: int, running: int, accepted: int) -> int:
        """How many may begin now: the least of `C - running` and `(η + v + 1) B - (accepted + running)`.

        `accepted` counts groups since version 0 that were or will be learned from; dropped ones do not count, or their
        replacements could never begin.
        """
        by_lag = (self.max_lag + version + 1) * self.groups - (accepted + running)
        return max(0, min(self.most_running - running, by_lag, self._by_depth(version, running, accepted)))

    def _by_depth(self, version: int, running: int, accepted: int) -> int:
        """What is learned from leaves the pipeline: one batch for each version."""
        if self.depth is None:
            return self.most_running
        return math.ceil(self.depth * self.groups) - (accepted - version * self.groups + running)

    @property
    def most_pending(self) -> int:
        """How many may wait to begin: (η + 1) B."""
        return (self.max_lag + 1) * self.groups

    def accepted_after_resume(self, version: int) -> int:
        """What to count from after a restart at this version: whatever was in flight is gone."""
        return version * self.groups

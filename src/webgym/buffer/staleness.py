"""Staleness: how far the weights that sampled a trajectory lag behind those being trained."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.errors import ConfigError
from webgym.records.prompt import unpack_ids
from webgym.records.trajectory import Step


def oldest_version(steps: Iterable[Step]) -> int | None:
    """Return the oldest policy version that sampled any of these tokens; None if unknown."""
    # Weights may be swapped in the middle of a reply, and the bound is for every token: the oldest one counts.
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
    """Bounds how far rollouts run ahead of the trainer. All counts are groups.

    If groups are used in the order in which they started, their lag is at most `max_lag`. Long attempts may be
    overtaken, so the lag is checked again when a batch is taken.
    """

    groups: int
    """B: groups per update."""
    max_lag: int
    """η: maximum lag in updates; 0 is synchronous."""
    most_running: int
    """C: maximum running groups, whatever the lag."""
    depth: float | None = None
    """D: maximum number of batches running or waiting to be trained on. Sets the typical lag and leaves `max_lag` for
    stragglers; None is η + 1, the most that `max_lag` allows."""

    def __post_init__(self) -> None:
        if self.groups < 1 or self.most_running < 1 or self.max_lag < 0:
            raise ConfigError("a pace needs at least one group, one running at a time, and a lag of 0 or more")
        if self.depth is not None and self.depth < 1:
            raise ConfigError(f"depth is {self.depth:g}; it must be at least 1, one whole batch")

    def capacity(self, *, version: int, running: int, accepted: int) -> int:
        """Return how many groups may start at version v.

        The least of `C - running`, `(η + v + 1) B - (accepted + running)` and `D B - (accepted - v B + running)`, where
        `accepted` counts the groups since version 0 that were or will be trained on; dropped ones do not count, so that
        replacements can start.
        """
        # In order, the n-th group is used by update n // B, and may start if that is at most η updates away.
        by_lag = (self.max_lag + version + 1) * self.groups - (accepted + running)
        return max(0, min(self.most_running - running, by_lag, self._by_depth(version, running, accepted)))

    def _by_depth(self, version: int, running: int, accepted: int) -> int:
        """Return the capacity left by `depth`: each version has taken one batch out of the pipeline."""
        if self.depth is None:
            return self.most_running
        # In versions, not in groups used: neither a short batch nor a restart shifts the count.
        return math.ceil(self.depth * self.groups) - (accepted - version * self.groups + running)

    @property
    def most_pending(self) -> int:
        """Maximum number of groups waiting to start: (η + 1) B."""
        return (self.max_lag + 1) * self.groups

    def accepted_after_resume(self, version: int) -> int:
        """Return `accepted` for a restart at this version: groups in flight are lost."""
        return version * self.groups

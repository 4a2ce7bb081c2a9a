"""Collects finished groups until they make a batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webgym.algorithms.advantages.estimator import Estimator
from webgym.buffer.advantages import DroppedGroup, DropReason, GroupAdvantages, score
from webgym.buffer.credit import credit
from webgym.buffer.staleness import oldest_version
from webgym.buffer.states import states
from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.trajectory import Trajectory, reward

Fate = Literal["kept", DropReason, "stale"]


class Group(Record, frozen=True):
    """Finished attempts at the same task that are compared with each other."""

    name: str
    members: tuple[Trajectory, ...]

    @property
    def rewards(self) -> tuple[float | None, ...]:
        return tuple(reward(member.ending.outcome) for member in self.members)


class ScoredGroup(Record, frozen=True):
    """A group to train on: its members that have a reward, each with its advantage."""

    name: str
    members: tuple[tuple[Trajectory, float], ...]
    of_steps: tuple[tuple[float, ...], ...] = ()
    """Advantages of the steps of each member; empty: each step has that of its member."""

    @property
    def by_step(self) -> Iterator[tuple[Trajectory, tuple[float, ...]]]:
        """Each member with the advantages of its steps."""
        for place, (member, advantage) in enumerate(self.members):
            yield member, self.of_steps[place] if self.of_steps else (advantage,) * len(member.steps)

    def only(self, places: Sequence[int]) -> ScoredGroup:
        """Return a copy with only the members at these indices."""
        of_steps = tuple(self.of_steps[place] for place in places) if self.of_steps else ()
        return ScoredGroup(self.name, tuple(self.members[place] for place in places), of_steps)


def score_group(group: Group, estimator: Estimator | str, partial: float = 0.0) -> ScoredGroup | DroppedGroup:
    """Score the members that have a reward by their credit. The others are left out."""
    seen = [states(member) for member in group.members]
    match score([credit(member, partial) for member in group.members], estimator, seen):
        case GroupAdvantages(advantages=advantages, of_steps=of_steps):
            pairs = zip(group.members, advantages, strict=True)
            members = tuple((member, kept) for member, kept in pairs if kept is not None)
            return ScoredGroup(group.name, members, tuple(step for step in of_steps if step is not None))
        case dropped:
            return dropped


@dataclass(frozen=True, slots=True)
class BatchRequirements:
    """Requirements for a batch."""

    groups: int
    estimator: Estimator | str = "grpo"
    partial: float = 0.0
    """Credit of a failed attempt: this times the share of facts that hold."""
    max_lag: int | None = None
    """Trajectories with a token older than this many updates are stale and dropped; None disables the check."""
    stale: Literal["group", "member"] = "group"
    """Whether to drop the whole group or only its stale members, in which case the others keep their advantages."""
    refill: float = 3.0
    """At most this many times `groups` are sampled for one batch, dropped ones included: a policy that always succeeds
    or always fails must not sample forever."""
    probe: int = 0
    """Members of a group that begin before the others, which follow only if these have different rewards; 0: all."""

    def __post_init__(self) -> None:
        if self.groups < 1 or self.refill < 1 or (self.max_lag is not None and self.max_lag < 0):
            raise ConfigError("a batch needs at least one group, a refill of 1 or more, and a lag of 0 or more")


class Collector:
    """Collects groups to train on until they fill a batch, and tells how many more to sample."""

    def __init__(self, wanted: BatchRequirements) -> None:
        self._wanted = wanted
        self._kept: list[_WaitingGroup] = []
        self._put = 0
        self._fates: Counter[Fate] = Counter()
        self._settled: dict[str, Fate] = {}

    def put(self, group: Group) -> Fate:
        """Add a finished group and return its fate. A group that is not `kept` must be replaced: see `missing`."""
        self._put += 1
        match score_group(group, self._wanted.estimator, self._wanted.partial):
            case DroppedGroup(reason=reason):
                fate: Fate = reason
            case scored:
                fate = "kept"
                self._kept.append(
                    _WaitingGroup(scored, tuple(oldest_version(member.steps) for member, _ in scored.members))
                )
        self._fates[fate] += 1
        if fate != "kept":
            self._settled[group.name] = fate
        return fate

    def undecided(self, part: Group) -> bool:
        """Return whether a group may have a signal, by the part of its members that are over."""
        match score_group(part, self._wanted.estimator, self._wanted.partial):
            case DroppedGroup(reason=reason):
                return reason == "too_few"
            case _:
                return True

    @property
    def waiting(self) -> int:
        """Number of kept groups that were not taken yet."""
        return len(self._kept)

    @property
    def spent(self) -> bool:
        """Whether the refill limit is reached: the batch must do with the groups there are."""
        return self._put >= int(self._wanted.refill * self._wanted.groups)

    def missing(self, running: int = 0) -> int:
        """Return how many more groups to start for the batch, besides those running."""
        short = self._wanted.groups - len(self._kept) - running
        left = int(self._wanted.refill * self._wanted.groups) - self._put - running
        return max(0, min(short, left))

    def full(self) -> bool:
        return len(self._kept) >= self._wanted.groups

    def expire(self, version: int) -> tuple[str, ...]:
        """Drop what is stale for weights of this version, and return the ids of the dropped attempts."""
        fresh: list[_WaitingGroup] = []
        gone: list[str] = []
        for waiting in self._kept:
            left = self._fresh(waiting, version)
            gone += [
                trajectory.attempt.attempt_id
                for n, (trajectory, _) in enumerate(waiting.group.members)
                if n not in left
            ]
            if left:
                fresh.append(waiting.only(left))
            else:
                self._settled[waiting.group.name] = "stale"
        self._fates["stale"] += len(self._kept) - len(fresh)
        self._fates["kept"] -= len(self._kept) - len(fresh)
        self._kept = fresh
        return tuple(gone)

    def take(self, version: int) -> tuple[ScoredGroup, ...]:
        """Take the oldest groups, none of them stale and at most as many as a batch needs, and begin a new batch.

        Groups are ordered by their oldest token, since they go stale in that order; ties by arrival.
        """
        self.expire(version)
        count = self._wanted.groups
        # The order in which groups finish means nothing that is worth keeping.
        in_order = sorted(self._kept, key=lambda waiting: min(waiting.versions(version), default=version))
        taken, self._kept = in_order[:count], in_order[count:]
        self._put = len(self._kept)
        self._settled.update((waiting.group.name, "kept") for waiting in taken)
        return tuple(waiting.group for waiting in taken)

    def settle(self) -> dict[str, Fate]:
        """Return the fates, by name, of the groups taken or dropped since the last call."""
        settled, self._settled = self._settled, {}
        return settled

    @property
    def fates(self) -> Mapping[Fate, int]:
        """Number of groups so far by fate, each counted once."""
        return {fate: count for fate, count in self._fates.items() if count}

    def _fresh(self, waiting: _WaitingGroup, version: int) -> list[int]:
        """Return the indices of the members that are not stale."""
        bound = self._wanted.max_lag
        versions = waiting.versions(version)
        fresh = [place for place, oldest in enumerate(versions) if bound is None or version - oldest <= bound]
        # A group goes as a whole by default: its advantages are relative to members that would be missing.
        return fresh if self._wanted.stale == "member" or len(fresh) == len(versions) else []


@dataclass(frozen=True, slots=True)
class _WaitingGroup:
    """A kept group with the age of its members, computed once because it is checked often."""

    group: ScoredGroup
    oldest: tuple[int | None, ...]
    """Version of the oldest token of each member; None if unknown."""

    def versions(self, version: int) -> tuple[int, ...]:
        """Return `oldest`, with unknown versions counted as current."""
        return tuple(version if oldest is None else oldest for oldest in self.oldest)

    def only(self, places: Sequence[int]) -> _WaitingGroup:
        """Return a copy with only the members at these indices."""
        return _WaitingGroup(self.group.only(places), tuple(self.oldest[place] for place in places))

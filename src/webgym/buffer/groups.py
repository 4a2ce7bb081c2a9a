"""From finished groups to those that a batch is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webgym.buffer.advantages import Dropped, DropReason, Scored, score
from webgym.buffer.staleness import oldest_version
from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.sample import Estimator
from webgym.records.trajectory import Trajectory, reward

Fate = Literal["kept", DropReason, "stale"]


class Group(Record, frozen=True):
    """Attempts at the same task that are compared with each other, all over."""

    name: str
    members: tuple[Trajectory, ...]

    @property
    def rewards(self) -> tuple[float | None, ...]:
        return tuple(reward(member.ending.outcome) for member in self.members)


class ScoredGroup(Record, frozen=True):
    """A group to learn from: those of its members that have a reward, each with its advantage."""

    name: str
    members: tuple[tuple[Trajectory, float], ...]


def score_group(group: Group, estimator: Estimator) -> ScoredGroup | Dropped:
    """Its valid members with their advantages. The others leave no trace."""
    match score(group.rewards, estimator):
        case Scored(advantages=advantages):
            pairs = zip(group.members, advantages, strict=True)
            return ScoredGroup(group.name, tuple((member, one) for member, one in pairs if one is not None))
        case dropped:
            return dropped


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a batch is made of."""

    groups: int
    estimator: Estimator = "grpo"
    max_lag: int | None = None
    """What has a token older than this many updates is dropped; None: nothing is."""
    stale: Literal["group", "member"] = "group"
    """Whether the whole group is dropped, or only such members of it: those left keep their advantages."""
    refill: float = 3.0
    """For one batch at most this many times `groups` are put in, dropped ones included: a policy that always succeeds
    or always fails must not sample for ever."""

    def __post_init__(self) -> None:
        if self.groups < 1 or self.refill < 1 or (self.max_lag is not None and self.max_lag < 0):
            raise ConfigError("a batch needs at least one group, a refill of 1 or more, and a lag of 0 or more")


class Collector:
    """Keeps groups that can be learned from until there are enough of them, and says how many more to sample."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._kept: list[_Waiting] = []
        self._put = 0
        self._fates: Counter[Fate] = Counter()
        self._settled: dict[str, Fate] = {}

    def put(self, group: Group) -> Fate:
        """Take a finished group. Whatever is not `kept` needs another in its place: see `missing`."""
        self._put += 1
        match score_group(group, self._wanted.estimator):
            case Dropped(reason=reason):
                fate: Fate = reason
            case scored:
                fate = "kept"
                self._kept.append(_waiting(scored))
        self._fates[fate] += 1
        if fate != "kept":
            self._settled[group.name] = fate
        return fate

    @property
    def waiting(self) -> int:
        """Groups that can be learned from, and were not taken yet."""
        return len(self._kept)

    @property
    def spent(self) -> bool:
        """Whether as many groups were put in for this batch as may be: it has to do with what there is."""
        return self._put >= int(self._wanted.refill * self._wanted.groups)

    def missing(self, running: int = 0) -> int:
        """How many groups to begin now, if these are running, so that a batch comes together."""
        short = self._wanted.groups - len(self._kept) - running
        left = int(self._wanted.refill * self._wanted.groups) - self._put - running
        return max(0, min(short, left))

    def full(self) -> bool:
        return len(self._kept) >= self._wanted.groups

    def expire(self, version: int) -> tuple[str, ...]:
        """Drop what weights of this version must no longer learn from; the attempts of which nothing will be used."""
        fresh: list[_Waiting] = []
        gone: list[str] = []
        for waiting in self._kept:
            left = self._fresh(waiting, version)
            gone += [one.attempt.attempt_id for n, (one, _) in enumerate(waiting.group.members) if n not in left]
            if left:
                fresh.append(waiting.only(left))
            else:
                self._settled[waiting.group.name] = "stale"
        self._fates["stale"] += len(self._kept) - len(fresh)
        self._fates["kept"] -= len(self._kept) - len(fresh)
        self._kept = fresh
        return tuple(gone)

    def take(self, version: int) -> tuple[ScoredGroup, ...]:
        """The oldest groups, at most as many as a batch needs, none of them stale. A new batch begins.

        Oldest are those with the oldest token, for they would be the next to go stale; among equals, first come.
        """
        self.expire(version)
        count = self._wanted.groups
        in_order = sorted(self._kept, key=lambda waiting: min(waiting.versions(version), default=version))
        taken, self._kept = in_order[:count], in_order[count:]
        self._put = len(self._kept)
        self._settled.update((waiting.group.name, "kept") for waiting in taken)
        return tuple(waiting.group for waiting in taken)

    def settle(self) -> dict[str, Fate]:
        """Groups that were taken or dropped since this was last asked, by name."""
        settled, self._settled = self._settled, {}
        return settled

    @property
    def fates(self) -> Mapping[Fate, int]:
        """Of all groups so far, each counted once."""
        return {fate: count for fate, count in self._fates.items() if count}

    def _fresh(self, waiting: _Waiting, version: int) -> list[int]:
        """Places of members that may be learned from."""
        bound = self._wanted.max_lag
        versions = waiting.versions(version)
        fresh = [place for place, oldest in enumerate(versions) if bound is None or version - oldest <= bound]
        return fresh if self._wanted.stale == "member" or len(fresh) == len(versions) else []


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A group that can be learned from, and how old it is: looked for once, for it may be looked at often."""

    group: ScoredGroup
    oldest: tuple[int | None, ...]
    """Version of the oldest token of each member; None if nobody knows."""

    def versions(self, version: int) -> tuple[int, ...]:
        """The same; what nobody knows counts as new."""
        return tuple(version if one is None else one for one in self.oldest)

    def only(self, places: Sequence[int]) -> _Waiting:
        """Some of its members."""
        members = tuple(self.group.members[place] for place in places)
        return _Waiting(ScoredGroup(self.group.name, members), tuple(self.oldest[place] for place in places))


def _waiting(group: ScoredGroup) -> _Waiting:
    return _Waiting(group, tuple(oldest_version(member.steps) for member, _ in group.members))

"""How long it took to get to a level: success on unseen tasks over the time that training took."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.store.statistics import Estimate, Picks, bootstrap

EVALUATE = "evaluate"


class Spent(Record, frozen=True, omit_defaults=False):
    """Where the time of a run went, in seconds; of an arm, on average."""

    training: float
    evaluating: float
    """While nothing else ran. Evaluations of asynchronous runs take place beside training, and are not in here."""
    untold: float
    """Between its first entry and its last, and in no entry: a run that was interrupted has such time."""


@dataclass(frozen=True, slots=True)
class Track:
    """One run: what was found in each of its evaluations."""

    iterations: tuple[int, ...]
    success: tuple[float, ...]
    seconds: tuple[float, ...]
    """Of training up to the end of each iteration, evaluated or not, from 0 on."""

    def success_at(self, iteration: int) -> float:
        """On the line between two evaluations."""
        place = bisect_left(self.iterations, iteration)
        if self.iterations[place] == iteration:
            return self.success[place]
        first, last = self.iterations[place - 1], self.iterations[place]
        share = (iteration - first) / (last - first)
        return self.success[place - 1] + share * (self.success[place] - self.success[place - 1])


@dataclass(frozen=True, slots=True)
class Tracks:
    """One arm: its runs, at the same iterations."""

    success: tuple[tuple[float, ...], ...]
    """By run, then by iteration."""
    seconds: tuple[tuple[float, ...], ...]

    def mean(self, picks: Sequence[int]) -> list[tuple[float, float]]:
        """Seconds and success of these runs, on average, iteration by iteration."""
        places = range(len(self.success[0]))
        return [
            (fmean(self.seconds[run][at] for run in picks), fmean(self.success[run][at] for run in picks))
            for at in places
        ]


def spent(curve: Sequence[Iteration]) -> Spent | None:
    """Of one run; None if nothing was told."""
    if not curve:
        return None
    training = sum(map(_training, curve))
    evaluating = sum(one.seconds.get(EVALUATE, 0.0) for one in curve)
    between = max(one.ended for one in curve) - min(one.ended for one in curve)
    told = sum(sum(one.seconds.values()) for one in sorted(curve, key=lambda one: one.ended)[1:])
    return Spent(training, evaluating, max(0.0, between - told))


def track(curve: Sequence[Iteration]) -> Track | None:
    """Of one run; None if its curve has no evaluation before and after learning, or lacks iterations."""
    if [one.iteration for one in curve] != list(range(len(curve))):
        return None
    found = {one.iteration: one.evaluation.success.rate for one in curve if one.evaluation}
    if len(found) < 2 or 0 not in found:
        return None
    seconds: list[float] = []
    for one in curve:
        seconds.append((seconds[-1] if seconds else 0.0) + (_training(one) if one.iteration else 0.0))
    return Track(tuple(found), tuple(found.values()), tuple(seconds))


def aligned(tracks: Sequence[Track]) -> Tracks:
    """All runs of an arm, up to where the shortest was evaluated last."""
    last = min(one.iterations[-1] for one in tracks)
    grid = sorted({iteration for one in tracks for iteration in one.iterations if iteration <= last})
    return Tracks(
        success=tuple(tuple(one.success_at(iteration) for iteration in grid) for one in tracks),
        seconds=tuple(tuple(one.seconds[iteration] for iteration in grid) for one in tracks),
    )


def level_of(arms: Sequence[Tracks], picks: Picks | None = None) -> float | None:
    """What all arms reached: the smallest of their mean successes at the end. None if one of them began there."""
    chosen = picks or [range(len(arm.success)) for arm in arms]
    means = [arm.mean(runs) for arm, runs in zip(arms, chosen, strict=True)]
    level = min(mean[-1][1] for mean in means)
    return level if all(mean[0][1] < level for mean in means) else None


def seconds_to(level: float, mean: Sequence[tuple[float, float]]) -> float:
    """When a mean curve was there first, on the line between two evaluations."""
    before = mean[0]
    for seconds, success in mean:
        if success >= level:
            rise = success - before[1]
            return before[0] + (seconds - before[0]) * ((level - before[1]) / rise if rise else 0.0)
        before = seconds, success
    return mean[-1][0]


def times_the_first(arms: Sequence[Tracks], place: int) -> Estimate | None:
    """Seconds of this arm until the level, as a multiple of those of the first; None if there is no level.

    The interval is over seeds: runs of every arm are drawn anew, and the level is chosen anew with them, since it is
    as uncertain as they are.
    """

    def multiple(picks: Picks) -> float | None:
        level = level_of(arms, picks)
        if level is None:
            return None
        first, own = (seconds_to(level, arms[one].mean(picks[one])) for one in (0, place))
        return own / first if first > 0 else None

    sizes = [len(arm.success) for arm in arms]
    found = multiple([range(size) for size in sizes])
    if found is None:
        return None
    low, high = bootstrap(multiple, sizes) or (None, None)
    return Estimate(found, low, high, sizes[0] + sizes[place])


def _training(one: Iteration) -> float:
    return sum(seconds for name, seconds in one.seconds.items() if name != EVALUATE)

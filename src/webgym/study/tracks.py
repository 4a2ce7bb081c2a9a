"""Time to a success rate: success on unseen tasks as a function of training time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from webgym.records.base import Record
from webgym.records.curve import Iteration
from webgym.store.statistics import Estimate, Picks, bootstrap

EVALUATE = "evaluate"


class TrackTimes(Record, frozen=True, omit_defaults=False):
    """Seconds that a run spent, or an arm on average."""

    training: float
    evaluating: float
    """Evaluation time while training paused: none in asynchronous runs, whose evaluations overlap with training."""
    untold: float
    """Time between the first and the last curve entry that no entry covers, such as after an interruption."""


@dataclass(frozen=True, slots=True)
class Track:
    """The evaluations of one run."""

    iterations: tuple[int, ...]
    success: tuple[float, ...]
    seconds: tuple[float, ...]
    """Training time up to the end of each iteration from 0 on, evaluated or not."""

    def success_at(self, iteration: int) -> float:
        """Interpolate linearly between evaluations."""
        place = bisect_left(self.iterations, iteration)
        if self.iterations[place] == iteration:
            return self.success[place]
        first, last = self.iterations[place - 1], self.iterations[place]
        share = (iteration - first) / (last - first)
        return self.success[place - 1] + share * (self.success[place] - self.success[place - 1])


@dataclass(frozen=True, slots=True)
class Tracks:
    """The runs of one arm, at the same iterations."""

    iterations: tuple[int, ...]
    success: tuple[tuple[float, ...], ...]
    """Indexed by run, then by iteration."""
    seconds: tuple[tuple[float, ...], ...]

    def mean(self, picks: Sequence[int]) -> list[tuple[float, float]]:
        """Return mean seconds and mean success of these runs at each iteration."""
        places = range(len(self.success[0]))
        return [
            (fmean(self.seconds[run][at] for run in picks), fmean(self.success[run][at] for run in picks))
            for at in places
        ]


def spent(curve: Sequence[Iteration]) -> TrackTimes | None:
    """Return the time spent by one run, or None if its curve is empty."""
    if not curve:
        return None
    training = sum(map(_training, curve))
    evaluating = sum(one.seconds.get(EVALUATE, 0.0) for one in curve)
    between = max(one.ended for one in curve) - min(one.ended for one in curve)
    told = sum(sum(one.seconds.values()) for one in sorted(curve, key=lambda one: one.ended)[1:])
    return TrackTimes(training, evaluating, max(0.0, between - told))


def track(curve: Sequence[Iteration]) -> Track | None:
    """Return the track of one run; None without evaluations before and after training, or if iterations are missing."""
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
    """Align the runs of an arm, up to the earliest of their last evaluations."""
    last = min(one.iterations[-1] for one in tracks)
    grid = sorted({iteration for one in tracks for iteration in one.iterations if iteration <= last})
    return Tracks(
        iterations=tuple(grid),
        success=tuple(tuple(one.success_at(iteration) for iteration in grid) for one in tracks),
        seconds=tuple(tuple(one.seconds[iteration] for iteration in grid) for one in tracks),
    )


def level_of(arms: Sequence[Tracks], picks: Picks | None = None) -> float | None:
    """Return the success rate that all arms reached: the smallest final mean. None if an arm started at or above it."""
    chosen = picks or [range(len(arm.success)) for arm in arms]
    means = [arm.mean(runs) for arm, runs in zip(arms, chosen, strict=True)]
    level = min(mean[-1][1] for mean in means)
    return level if all(mean[0][1] < level for mean in means) else None


def seconds_to(level: float, mean: Sequence[tuple[float, float]]) -> float:
    """Return when a mean curve first reached the level, by linear interpolation."""
    before = mean[0]
    for seconds, success in mean:
        if success >= level:
            rise = success - before[1]
            return before[0] + (seconds - before[0]) * ((level - before[1]) / rise if rise else 0.0)
        before = seconds, success
    return mean[-1][0]


def times_the_first(arms: Sequence[Tracks], place: int) -> Estimate | None:
    """Return the ratio of this arm's seconds to the level to those of the first arm; None if there is no level.

    The interval is a bootstrap over seeds: every resample of the runs also recomputes the level, which is as uncertain
    as they are.
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

"""Compare the curves of runs: time, lag and clipping, arm by arm."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from webgym.records.curve import Iteration
from webgym.store.statistics import Estimate, ratio
from webgym.study.tracks import Tracks, TrackTimes, aligned, level_of, seconds_to, spent, times_the_first, track
from webgym.study.updates import Lag, clipping_of, lag_of

_UNTOLD_SHARE = 0.05
"""Share of training time missing from the curve above which a note says so."""

Curves = Sequence[Sequence[Iteration]]
"""Curves of the runs of an arm."""


@dataclass(frozen=True, slots=True)
class ArmByCurves:
    """What the curves of one arm tell; None where they lack the data."""

    spent: TrackTimes | None
    seconds_to_level: float | None
    seconds_times_first: Estimate | None
    lag: Lag | None
    clip_share: Estimate | None
    clip_times_first: Estimate | None


@dataclass(frozen=True, slots=True)
class ByCurves:
    """What the curves of all arms tell."""

    arms: Mapping[str, ArmByCurves]
    level: float | None
    notes: tuple[str, ...]


def by_curves(arms: Mapping[str, Curves], evaluated: Mapping[str, Curves] | None = None) -> ByCurves:
    """Compare every arm with the first one.

    `evaluated` has the curves that tell the time to the level, if not all do: lag, clipping and seconds need no
    evaluations.
    """
    tracks = {name: _tracks(curves) for name, curves in (evaluated or arms).items()}
    whole = [one for one in tracks.values() if one is not None]
    level = level_of(whole) if len(whole) == len(tracks) else None
    clips = {name: clipping_of(curves) for name, curves in arms.items()}
    first = next(iter(arms))

    def arm(place: int, name: str) -> ArmByCurves:
        mine, clip, against = tracks[name], clips[name], clips[first]
        seconds = None if mine is None or level is None else seconds_to(level, mine.mean(range(len(mine.success))))
        return ArmByCurves(
            spent=_mean_spent(arms[name]),
            seconds_to_level=seconds,
            seconds_times_first=times_the_first(whole, place) if place and seconds is not None else None,
            lag=lag_of(arms[name]),
            clip_share=clip.interval() if clip else None,
            clip_times_first=ratio(clip, against) if place and clip and against else None,
        )

    found = {name: arm(place, name) for place, name in enumerate(arms)}
    learned = {name for name, curves in arms.items() if any(one.learned for curve in curves for one in curve)}
    notes = (*_notes_of_time(found, tracks, level), *_notes_of_updates(found, learned))
    return ByCurves(found, level, notes)


def _notes_of_time(
    arms: Mapping[str, ArmByCurves], tracks: Mapping[str, Tracks | None], level: float | None
) -> Iterator[str]:
    lacking = [name for name, one in tracks.items() if one is None]
    if lacking:
        yield f"no time to level: a curve of {', '.join(lacking)} lacks evaluations before and after training"
    elif level is None:
        yield "no time to level: not every arm rose above the starting success of all arms"
    for name, one in arms.items():
        if one.spent and one.spent.untold > _UNTOLD_SHARE * one.spent.training:
            yield f"{name}: {one.spent.untold:.0f} s of a run belong to no iteration: it was interrupted or delayed"


def _notes_of_updates(arms: Mapping[str, ArmByCurves], learned: Collection[str]) -> Iterator[str]:
    for name, one in arms.items():
        if name not in learned:
            yield f"{name}: no updates, so no lag and no clip fraction"
            continue
        if one.lag is None:
            yield f"{name}: the lag is not recorded for every update"
        if one.clip_share is None:
            yield f"{name}: the clip fraction is not recorded for every update"


def _tracks(curves: Curves) -> Tracks | None:
    found = [track(curve) for curve in curves]
    told = [one for one in found if one is not None]
    return aligned(told) if told and len(told) == len(found) else None


def _mean_spent(curves: Curves) -> TrackTimes | None:
    found = [one for curve in curves if (one := spent(curve))]
    if not found:
        return None
    return TrackTimes(
        training=fmean(one.training for one in found),
        evaluating=fmean(one.evaluating for one in found),
        untold=fmean(one.untold for one in found),
    )

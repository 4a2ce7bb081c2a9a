"""Compare training runs: what each arm gained on the same evaluation tasks, and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from webgym.records.base import Record
from webgym.records.curve import Lengths
from webgym.run.figures import lengths
from webgym.store.rows import Row
from webgym.store.statistics import Estimate, Interval, paired_difference, student
from webgym.study.curves import ArmByCurves, by_curves
from webgym.study.notes import notes_of
from webgym.study.runs import ComparedRun, read_run
from webgym.study.tracks import TrackTimes
from webgym.study.updates import Lag


class Seed(Record, frozen=True, omit_defaults=False):
    """One run of an arm; all but its name is None without evaluations before and after training."""

    run: str
    iteration: int | None
    """Iteration of its last complete evaluation."""
    tasks: int | None
    """Tasks graded in both evaluations."""
    before: float | None
    """Success rate in the first evaluation, on these tasks."""
    after: float | None
    """Success rate in the last evaluation, on these tasks."""


class Phase(Record, frozen=True, omit_defaults=False):
    """The first or the last evaluation, over all seeds."""

    success: float
    successes: Lengths
    failures: Lengths


class ArmResult(Record, frozen=True, omit_defaults=False):
    """The results of one arm: a configuration trained with several seeds."""

    name: str
    seeds: tuple[Seed, ...]
    before: Phase | None
    """Over the seeds with evaluations, like the following three. None if no seed has them."""
    after: Phase | None
    rise: Interval | None
    """Gain from before to after, paired by task, each task averaged over seeds."""
    rise_over_seeds: Interval | None
    """The same gain, with its interval over seeds."""
    by_facts: dict[str, Interval]
    """Gain by number of facts in the task's rubric."""
    spent: TrackTimes | None
    """Mean over all seeds. This and the following are None if the curves lack the data."""
    seconds_to_level: float | None
    """Seconds of training until the mean success rate reached the study's `level`."""
    lag: Lag | None
    clip_share: Estimate | None
    """Share of tokens whose gradient was clipped away: mean over updates, clustered by run."""


class Against(Record, frozen=True, omit_defaults=False):
    """An arm compared with the first one."""

    name: str
    than: str
    difference: Interval | None
    """Difference in success rate after training, paired by task; None if one of the two has no evaluations."""
    seconds_to_level: Estimate | None
    """Ratio to the first arm's; the interval is over seeds."""
    clip_share: Estimate | None
    """Ratio to the first arm's; the interval is over updates, clustered by run."""


class Study(Record, frozen=True, omit_defaults=False):
    """The comparison of all arms."""

    arms: tuple[ArmResult, ...]
    against_first: tuple[Against, ...]
    level: float | None
    """Success rate on unseen tasks that all arms reached: the smallest of their means in the last evaluation."""
    notes: tuple[str, ...]
    """What could not be computed, and why; and what makes figures less comparable."""


def study(arms: Mapping[str, Sequence[Path]]) -> Study:
    """Compare arms by the first and the last evaluation of every run that has them, and by the curves of all runs.

    Raises:
        ConfigError: A run has neither a finished iteration nor evaluations before and after training.
        StoreError: There is no such run.
    """
    return compared(runs_in(arms))


def runs_in(arms: Mapping[str, Sequence[Path]]) -> dict[str, list[ComparedRun]]:
    """Read the runs of all arms, for `compared`.

    Raises:
        ConfigError: A run has neither a finished iteration nor evaluations before and after training.
        StoreError: There is no such run.
    """
    return {name: [read_run(folder) for folder in folders] for name, folders in arms.items()}


def compared(arms: Mapping[str, Sequence[ComparedRun]]) -> Study:
    """Compare arms whose runs have been read."""
    first, *others = arms
    ends = {name: _scores(run.evaluated.after for run in runs if run.evaluated) for name, runs in arms.items()}
    curves = by_curves(
        {name: [run.curve for run in runs] for name, runs in arms.items()},
        {name: [run.curve for run in runs if run.evaluated] for name, runs in arms.items()},
    )
    return Study(
        arms=tuple(_arm(name, runs, curves.arms[name]) for name, runs in arms.items()),
        against_first=tuple(_against(name, first, ends, curves.arms[name]) for name in others),
        level=curves.level,
        notes=(*notes_of(arms), *curves.notes),
    )


def _against(name: str, first: str, ends: Mapping[str, Mapping[str, float]], told: ArmByCurves) -> Against:
    return Against(
        name=name,
        than=first,
        difference=paired_difference(ends[first], ends[name]) if ends[first] and ends[name] else None,
        seconds_to_level=told.seconds_times_first,
        clip_share=told.clip_times_first,
    )


def _arm(name: str, runs: Sequence[ComparedRun], told: ArmByCurves) -> ArmResult:
    rated = [run.evaluated for run in runs if run.evaluated]
    before, after = _scores(one.before for one in rated), _scores(one.after for one in rated)
    facts = {row.task_id: str(row.difficulty) for one in rated for row in one.before}
    kinds = sorted(set(facts.values()), key=int)
    seeds = tuple(map(_seed, runs))
    gains = [seed.after - seed.before for seed in seeds if seed.after is not None and seed.before is not None]
    return ArmResult(
        name=name,
        seeds=seeds,
        before=_phase([row for one in rated for row in one.before]) if rated else None,
        after=_phase([row for one in rated for row in one.after]) if rated else None,
        rise=paired_difference(before, after) if rated else None,
        rise_over_seeds=student(gains) if rated else None,
        by_facts={kind: paired_difference(_of(before, facts, kind), _of(after, facts, kind)) for kind in kinds},
        spent=told.spent,
        seconds_to_level=told.seconds_to_level,
        lag=told.lag,
        clip_share=told.clip_share,
    )


def _seed(run: ComparedRun) -> Seed:
    if run.evaluated is None:
        return Seed(str(run.folder), iteration=None, tasks=None, before=None, after=None)
    before, after = _scores([run.evaluated.before]), _scores([run.evaluated.after])
    both = before.keys() & after.keys()
    return Seed(
        run=str(run.folder),
        iteration=run.evaluated.iteration,
        tasks=len(both),
        before=fmean(before[task] for task in both),
        after=fmean(after[task] for task in both),
    )


def _scores(evaluations: Iterable[Iterable[Row]]) -> dict[str, float]:
    """Return the mean reward of each graded task over all attempts."""
    rewards: dict[str, list[float]] = {}
    for rows in evaluations:
        for row in rows:
            if row.reward is not None:
                rewards.setdefault(row.task_id, []).append(row.reward)
    return {task: fmean(found) for task, found in rewards.items()}


def _of(scores: Mapping[str, float], facts: Mapping[str, str], kind: str) -> dict[str, float]:
    return {task: score for task, score in scores.items() if facts.get(task) == kind}


def _phase(rows: Sequence[Row]) -> Phase:
    graded = [row for row in rows if row.reward is not None]
    won = [row for row in graded if row.outcome == "success"]
    lost = [row for row in graded if row.outcome != "success"]
    return Phase(len(won) / max(1, len(graded)), lengths(won), lengths(lost))

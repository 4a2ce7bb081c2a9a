"""Compare training runs: what each arm gained on the same evaluation tasks, and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from webgym.curves.file import read
from webgym.errors import ConfigError, WebGymError
from webgym.pipeline.study.curves import ByCurves, by_curves
from webgym.pipeline.study.tracks import Spent
from webgym.pipeline.study.updates import Lag
from webgym.pipeline.train.figures import lengths
from webgym.pipeline.train.folders import Folders
from webgym.records.base import Record
from webgym.records.curve import Iteration, Lengths
from webgym.store.read import open_run
from webgym.store.rows import Row
from webgym.store.statistics import Estimate, Interval, paired_difference, student


class Seed(Record, frozen=True, omit_defaults=False):
    """One run of an arm."""

    run: str
    iteration: int
    """Iteration of its last complete evaluation."""
    tasks: int
    """Tasks graded in both evaluations."""
    before: float
    """Success rate in the first evaluation, on these tasks."""
    after: float
    """Success rate in the last evaluation, on these tasks."""


class Phase(Record, frozen=True, omit_defaults=False):
    """The first or the last evaluation, over all seeds."""

    success: float
    successes: Lengths
    failures: Lengths


class Arm(Record, frozen=True, omit_defaults=False):
    """The results of one arm: a configuration trained with several seeds."""

    name: str
    seeds: tuple[Seed, ...]
    before: Phase
    after: Phase
    rise: Interval
    """Gain from before to after, paired by task, each task averaged over seeds."""
    rise_over_seeds: Interval
    """The same gain, with its interval over seeds."""
    by_facts: dict[str, Interval]
    """Gain by number of facts in the task's rubric."""
    spent: Spent | None
    """Mean over seeds. This and the following are None if the curves lack the data."""
    seconds_to_level: float | None
    """Seconds of training until the mean success rate reached the study's `level`."""
    lag: Lag | None
    clip_share: Estimate | None
    """Share of tokens whose gradient was clipped away: mean over updates, clustered by run."""


class Against(Record, frozen=True, omit_defaults=False):
    """An arm compared with the first one."""

    name: str
    than: str
    difference: Interval
    """Difference in success rate after training, paired by task."""
    seconds_to_level: Estimate | None
    """Ratio to the first arm's; the interval is over seeds."""
    clip_share: Estimate | None
    """Ratio to the first arm's; the interval is over updates, clustered by run."""


class Study(Record, frozen=True, omit_defaults=False):
    """The comparison of all arms."""

    arms: tuple[Arm, ...]
    against_first: tuple[Against, ...]
    level: float | None
    """Success rate on unseen tasks that all arms reached: the smallest of their means in the last evaluation."""
    notes: tuple[str, ...]
    """What could not be computed, and why."""


@dataclass(frozen=True, slots=True)
class _Run:
    folder: Path
    iteration: int
    before: Sequence[Row]
    after: Sequence[Row]
    curve: Sequence[Iteration]


def study(arms: Mapping[str, Sequence[Path]]) -> Study:
    """Compare arms by the first and the last evaluation of every run, and by its curve.

    Raises:
        ConfigError: A run has no evaluation before and after training.
        StoreError: There is no such run.
    """
    found = {name: [_read(folder) for folder in folders] for name, folders in arms.items()}
    first, *others = found
    ends = {name: _scores(run.after for run in runs) for name, runs in found.items()}
    curves = by_curves({name: [run.curve for run in runs] for name, runs in found.items()})
    return Study(
        arms=tuple(_arm(name, runs, curves) for name, runs in found.items()),
        against_first=tuple(
            Against(
                name=name,
                than=first,
                difference=paired_difference(ends[first], ends[name]),
                seconds_to_level=curves.arms[name].seconds_times_first,
                clip_share=curves.arms[name].clip_times_first,
            )
            for name in others
        ),
        level=curves.level,
        notes=curves.notes,
    )


def hindrance(folder: Path) -> str:
    """Return why a run cannot be compared, or an empty string if it can."""
    try:
        _read(folder)
    except WebGymError as error:
        return str(error)
    return ""


def _read(folder: Path) -> _Run:
    found = sorted(int(one.name) for one in (folder / "evaluations").glob("[0-9]*") if one.name.isdigit())
    if len(found) < 2 or found[0] != 0:
        raise ConfigError(f"{folder} needs evaluations before and after training: it has those of iterations {found}")
    folders = Folders(folder)
    before = _rows(folders.evaluation(0))
    for iteration in reversed(found[1:]):
        after = _rows(folders.evaluation(iteration))
        if _is_over(after, before):
            return _Run(folder, iteration, before, after, read(folders.curve))
    raise ConfigError(
        f"{folder}: no evaluation after training has finished; to resume: `webgym train --resume {folder}`"
    )


def _is_over(rows: Sequence[Row], first: Sequence[Row]) -> bool:
    """Return whether an evaluation is complete. In a partial one, quick attempts are over-represented."""
    ended = {row.attempt_id for row in rows if row.outcome not in (None, "cancelled")}
    return ended >= {row.attempt_id for row in first}


def _rows(folder: Path) -> list[Row]:
    with open_run(folder) as run:
        return run.rows()


def _arm(name: str, runs: Sequence[_Run], curves: ByCurves) -> Arm:
    seeds = tuple(_seed(run) for run in runs)
    before, after = _scores(run.before for run in runs), _scores(run.after for run in runs)
    facts = {row.task_id: str(row.difficulty) for run in runs for row in run.before}
    kinds = sorted(set(facts.values()), key=int)
    told = curves.arms[name]
    return Arm(
        name=name,
        seeds=seeds,
        before=_phase([row for run in runs for row in run.before]),
        after=_phase([row for run in runs for row in run.after]),
        rise=paired_difference(before, after),
        rise_over_seeds=student([seed.after - seed.before for seed in seeds]),
        by_facts={kind: paired_difference(_of(before, facts, kind), _of(after, facts, kind)) for kind in kinds},
        spent=told.spent,
        seconds_to_level=told.seconds_to_level,
        lag=told.lag,
        clip_share=told.clip_share,
    )


def _seed(run: _Run) -> Seed:
    before, after = _scores([run.before]), _scores([run.after])
    both = before.keys() & after.keys()
    if not both:
        raise ConfigError(f"{run.folder}: no task was graded in both of its evaluations")
    return Seed(
        run=str(run.folder),
        iteration=run.iteration,
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

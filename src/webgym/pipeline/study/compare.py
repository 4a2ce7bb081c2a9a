"""Training runs set against each other: what each way of learning changed on the same tasks, and in which time."""

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
    """Of its last evaluation."""
    tasks: int
    before: float
    after: float


class Phase(Record, frozen=True, omit_defaults=False):
    """Attempts of one evaluation, over all seeds."""

    success: float
    successes: Lengths
    failures: Lengths


class Arm(Record, frozen=True, omit_defaults=False):
    """One way of learning."""

    name: str
    seeds: tuple[Seed, ...]
    before: Phase
    after: Phase
    rise: Interval
    """From before to after: tasks are paired, and a task counts by its mean over seeds."""
    rise_over_seeds: Interval
    """The same, with the seeds as what varies."""
    by_facts: dict[str, Interval]
    """Rise of tasks with so many facts."""
    spent: Spent | None
    """On average over seeds. This and what follows is None where the curves do not tell it."""
    seconds_to_level: float | None
    """Of training, until success was at the study's level."""
    lag: Lag | None
    clip_share: Estimate | None
    """Tokens that the clip left without a gradient, on average over updates: clustered by run."""


class Against(Record, frozen=True, omit_defaults=False):
    """An arm against the first."""

    name: str
    than: str
    difference: Interval
    """After learning, on tasks that both have."""
    seconds_to_level: Estimate | None
    """As a multiple of the first arm's; the interval is over seeds."""
    clip_share: Estimate | None
    """Likewise; the interval is over updates, clustered by run."""


class Study(Record, frozen=True, omit_defaults=False):
    """All arms."""

    arms: tuple[Arm, ...]
    against_first: tuple[Against, ...]
    level: float | None
    """Success on unseen tasks that all arms reached: the smallest of their means in the last evaluation."""
    notes: tuple[str, ...]
    """What could not be told, and why."""


@dataclass(frozen=True, slots=True)
class _Run:
    folder: Path
    iteration: int
    before: Sequence[Row]
    after: Sequence[Row]
    curve: Sequence[Iteration]


def study(arms: Mapping[str, Sequence[Path]]) -> Study:
    """Read the first and the last evaluation of every run, and its curve.

    Raises:
        ConfigError: A run was not evaluated before and after learning.
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
    """Why a run cannot be set against others; empty if it can."""
    try:
        _read(folder)
    except WebGymError as error:
        return str(error)
    return ""


def _read(folder: Path) -> _Run:
    found = sorted(int(one.name) for one in (folder / "evaluations").glob("[0-9]*") if one.name.isdigit())
    if len(found) < 2 or found[0] != 0:
        raise ConfigError(f"{folder} has no evaluation before and after learning: it has those of iterations {found}")
    folders = Folders(folder)
    before = _rows(folders.evaluation(0))
    for iteration in reversed(found[1:]):
        after = _rows(folders.evaluation(iteration))
        if _is_over(after, before):
            return _Run(folder, iteration, before, after, read(folders.curve))
    raise ConfigError(f"{folder}: no evaluation after learning is over; `webgym train --resume {folder}` goes on")


def _is_over(rows: Sequence[Row], first: Sequence[Row]) -> bool:
    """What ends first is what goes quickly: of an evaluation that was cut off, success is another thing."""
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
        raise ConfigError(f"{run.folder}: its evaluations have no task in common that was graded in both")
    return Seed(
        run=str(run.folder),
        iteration=run.iteration,
        tasks=len(both),
        before=fmean(before[task] for task in both),
        after=fmean(after[task] for task in both),
    )


def _scores(evaluations: Iterable[Iterable[Row]]) -> dict[str, float]:
    """Success of each task that was graded, by its mean over all attempts."""
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

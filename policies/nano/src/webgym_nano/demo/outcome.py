"""The outcome of a demo: before and after on the same tasks, next to a full-length run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.curves.about import RunFacts
from webgym.curves.app import Curve
from webgym.curves.file import read
from webgym.records.base import Record
from webgym.records.curve import Iteration, Rate
from webgym.run.training.folders import Folders
from webgym.run.training.report import before_and_after, report
from webgym.store.compare import Comparison


class Course(Record, frozen=True):
    """Summary of a training run from its first evaluation to its last."""

    iterations: int
    episodes: int
    """Training attempts."""
    before: Rate
    after: Rate | None
    """None if there was no second evaluation."""


class Outcome(Record, frozen=True):
    """The outcome of a demo."""

    course: Course | None
    """None if the first evaluation did not finish."""
    compared: Comparison | None
    """Paired comparison of last and first evaluation; None without a second evaluation."""
    full: Course | None
    """The shipped full-length run."""
    report: Path | None


def outcome_of(folder: Path, about: RunFacts, shipped: Curve | None) -> Outcome:
    """Write the report of a finished or stopped run, and return its outcome."""
    folders = Folders(folder)
    iterations = read(folders.curve)
    evaluated = [one.iteration for one in iterations if one.evaluation is not None]
    return Outcome(
        course=course_of(iterations),
        compared=before_and_after(folders, evaluated) if len(evaluated) > 1 else None,
        full=course_of(shipped.iterations) if shipped else None,
        report=report(folders, iterations, about, shipped) if iterations else None,
    )


def course_of(iterations: Sequence[Iteration]) -> Course | None:
    """Summarise a curve; None if nothing was evaluated."""
    found = [one.evaluation.success for one in iterations if one.evaluation is not None]
    if not found:
        return None
    return Course(
        iterations=iterations[-1].iteration,
        episodes=sum(sum(one.train.outcomes.values()) for one in iterations if one.train is not None),
        before=found[0],
        after=found[-1] if len(found) > 1 else None,
    )

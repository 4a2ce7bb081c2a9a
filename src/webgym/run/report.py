"""The HTML report of a training run: curves, the first and last evaluation compared, and example attempts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.curves.about import RunFacts
from webgym.curves.app import Curve
from webgym.curves.report import write_report
from webgym.records.curve import Iteration
from webgym.run.examples import examples_of
from webgym.run.folders import Folders
from webgym.store.compare import Comparison, compare
from webgym.store.read import open_run


def report(folders: Folders, iterations: Sequence[Iteration], about: RunFacts, beside: Curve | None = None) -> Path:
    """Write the report and return its path; `beside` is the curve of another run to show next to it."""
    evaluated = [iteration.iteration for iteration in iterations if iteration.evaluation is not None]
    compared = before_and_after(folders, evaluated) if len(evaluated) > 1 else None
    gained = [flip.attempts_b[0] for flip in compared.gained] if compared else []
    examples = examples_of(folders.evaluation(evaluated[-1]), gained) if evaluated else []
    difference = compared.difference if compared else None
    write_report(folders.report, iterations, about, examples, difference=difference, beside=beside)
    return folders.report


def before_and_after(folders: Folders, evaluated: Sequence[int]) -> Comparison:
    """Compare the last evaluation with the first, task by task."""
    first, last = folders.evaluation(evaluated[0]), folders.evaluation(evaluated[-1])
    with open_run(first) as before, open_run(last) as after:
        return compare("before", before.rows(), "after", after.rows())

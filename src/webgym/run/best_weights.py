"""The weights that did best in evaluations on unseen websites; they are kept along with the newest."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.records.base import Record
from webgym.records.curve import Iteration, Rate
from webgym.run.averaged_weights import averaged_folder
from webgym.run.folders import Folders


class Best(Record, frozen=True, omit_defaults=False):
    """The weights with the best evaluation, and their path."""

    iteration: int
    version: int
    success: Rate
    path: str

    @property
    def line(self) -> str:
        rate = self.success
        return (
            f"best on unseen websites: version {self.version}, after iteration {self.iteration}, {rate.rate:.1%} "
            f"({rate.low:.1%} to {rate.high:.1%}): {self.path}"
        )


def best_of(iterations: Sequence[Iteration]) -> Iteration | None:
    """Return the iteration with the best success rate in evaluation, the latest on ties; None if none was graded."""
    graded = [
        iteration
        for iteration in iterations
        if iteration.evaluation is not None and iteration.evaluation.success.attempts
    ]
    return max(graded, key=lambda one: (_rate(one), one.iteration), default=None)


def evaluated_versions(iterations: Sequence[Iteration]) -> set[int]:
    """Return the policy versions to keep regardless of age: the last one evaluated and the best one."""
    evaluated = (iteration for iteration in iterations if iteration.evaluation is not None)
    last = max(evaluated, key=lambda one: one.iteration, default=None)
    return {one.version for one in (last, best_of(iterations)) if one is not None}


def found_best(iterations: Sequence[Iteration], folders: Folders, model: str) -> Best | None:
    """Return the best weights of a run that started from `model`, or None if nothing was graded."""
    best = best_of(iterations)
    if best is None or best.evaluation is None:
        return None
    folder = averaged_folder(folders.policy(best.version))
    path = str(folder) if best.version or folder.is_dir() else model
    return Best(best.iteration, best.version, best.evaluation.success, path)


def _rate(iteration: Iteration) -> float:
    return iteration.evaluation.success.rate if iteration.evaluation is not None else 0.0

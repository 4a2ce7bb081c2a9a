"""The runs that a study compares: what is on disk of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webgym.curves.file import read
from webgym.errors import ConfigError, WebGymError
from webgym.records.curve import Iteration
from webgym.run.about import about_run
from webgym.run.folders import Folders
from webgym.store.meta import META_FILE
from webgym.store.read import open_run
from webgym.store.rows import Row
from webgym.store.schema import DATABASE_FILE


@dataclass(frozen=True, slots=True)
class EvaluationPair:
    """The first and the last complete evaluation of a run, with at least one task graded in both."""

    iteration: int
    """Iteration of the last one."""
    before: Sequence[Row]
    after: Sequence[Row]


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run of an arm."""

    folder: Path
    curve: Sequence[Iteration]
    evaluated: EvaluationPair | None
    """None without complete evaluations before and after training."""
    planned: int | None
    """Planned number of iterations; None if unknown."""

    @property
    def iterations(self) -> int:
        """Iterations that it has finished."""
        return max((one.iteration for one in self.curve), default=0)

    @property
    def is_finished(self) -> bool:
        """Whether it is known to have finished all planned iterations."""
        return self.planned is not None and self.iterations >= self.planned

    @property
    def is_unfinished(self) -> bool:
        """Whether it is known to have iterations left."""
        return self.planned is not None and self.iterations < self.planned

    @property
    def owes_evaluations(self) -> bool:
        """Whether its first or its last evaluation has not taken place."""
        return not {0, self.iterations} <= {one.iteration for one in self.curve if one.evaluation}


def read_run(folder: Path) -> ComparedRun:
    """Read a run. Blocks.

    Raises:
        ConfigError: It has neither a finished iteration nor evaluations before and after training.
        StoreError: There is no such run.
    """
    numbers = sorted(int(one.name) for one in (folder / "evaluations").glob("[0-9]*") if _is_evaluation(one))
    run = ComparedRun(folder, read(Folders(folder).curve), _evaluated(Folders(folder), numbers), _planned(folder))
    if not run.evaluated and not run.iterations:
        raise ConfigError(
            f"{folder} has finished no iteration, and has no complete evaluations before and after training "
            f"with a task graded in both: it has those of iterations {numbers}"
        )
    return run


def read_if_comparable(folder: Path) -> ComparedRun | str:
    """Read a run, or return why it cannot be compared. Blocks."""
    try:
        return read_run(folder)
    except WebGymError as error:
        return str(error)


def _planned(folder: Path) -> int | None:
    try:
        return about_run(folder).planned
    except WebGymError:  # settings of older runs may not be valid any more; their curves are
        return None


def _is_evaluation(folder: Path) -> bool:
    """Return whether there is something to read: a live run, or one killed at this point, may only have made files."""
    database = folder / DATABASE_FILE
    is_begun = (folder / META_FILE).is_file() and database.is_file() and database.stat().st_size > 0
    return folder.name.isdigit() and is_begun


def _evaluated(folders: Folders, numbers: Sequence[int]) -> EvaluationPair | None:
    if len(numbers) < 2 or numbers[0] != 0:
        return None
    before = _rows(folders.evaluation(0))
    for iteration in reversed(numbers[1:]):
        after = _rows(folders.evaluation(iteration))
        if _covers(before, after) and _covers(after, before) and _graded(before) & _graded(after):
            return EvaluationPair(iteration, before, after)
    return None


def _covers(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Return whether all attempts of another evaluation ended here. In a partial one, quick attempts dominate."""
    ended = {row.attempt_id for row in rows if row.outcome not in (None, "cancelled")}
    return ended >= {row.attempt_id for row in others}


def _graded(rows: Sequence[Row]) -> set[str]:
    return {row.task_id for row in rows if row.reward is not None}


def _rows(folder: Path) -> list[Row]:
    with open_run(folder) as run:
        return run.rows()

"""The result of a study: its arms compared, as far as their runs have come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.errors import StoreError
from webgym.study.compare import compared
from webgym.study.plan import StudyRun
from webgym.study.progress import RunProgress, StudyResult, load_result, progress_of, save_result
from webgym.study.runs import ComparedRun, read_if_comparable


def begin(name: str, folder: Path, runs: Sequence[StudyRun]) -> None:
    """Save the list of runs, so that the study can be inspected while it runs."""
    folder.mkdir(parents=True, exist_ok=True)
    found = tuple(progress_of(run, "done" if run.standing == "done" else "waiting") for run in runs)
    save_result(folder, StudyResult(name, complete=False, runs=found, compared=None))


def conclude(name: str, folder: Path, runs: Sequence[RunProgress]) -> StudyResult:
    """Compare all runs that are comparable, and save the result in the study's folder."""
    arms: dict[str, list[ComparedRun]] = {run.arm: [] for run in runs}  # the first arm stays the baseline
    notes: list[str] = []
    for run in runs:
        found = _run_or_why_not(run, folder / run.run)
        if isinstance(found, str):
            notes.append(f"{run.run} is excluded: {found}")
        else:
            arms[run.arm].append(found)
    some = {name: found for name, found in arms.items() if found}
    result = StudyResult(
        name=name,
        complete=all(run.state == "done" for run in runs),
        runs=tuple(runs),
        compared=compared(some) if some else None,
        notes=tuple(notes),
    )
    save_result(folder, result)
    return result


def arms_in(folder: Path) -> dict[str, list[Path]]:
    """Return the runs of a study that can be compared so far, by arm.

    Raises:
        StoreError: There is no study, or no run has finished an iteration.
    """
    runs = load_result(folder).runs
    arms: dict[str, list[Path]] = {run.arm: [] for run in runs}
    for run in runs:
        if isinstance(read_if_comparable(folder / run.run), ComparedRun):
            arms[run.arm].append(folder / run.run)
    some = {name: found for name, found in arms.items() if found}
    if not some:
        raise StoreError(f"no run of {folder} has finished an iteration yet")
    return some


def left_out(folder: Path) -> tuple[str, ...]:
    """Return a note for each run of a study that cannot be compared yet.

    Raises:
        StoreError: There is no study.
    """
    found = {run.run: _run_or_why_not(run, folder / run.run) for run in load_result(folder).runs}
    return tuple(f"{name} is excluded: {why}" for name, why in found.items() if isinstance(why, str))


def _run_or_why_not(run: RunProgress, folder: Path) -> ComparedRun | str:
    # A run that waits may have been begun by an earlier command.
    if run.state == "waiting" and not folder.exists():
        return "it has not started"
    return read_if_comparable(folder)

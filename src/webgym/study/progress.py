"""Progress and result of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

import msgspec

from webgym.curves.file import read
from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.run.folders import Folders
from webgym.study.compare import Study
from webgym.study.plan import StudyRun

State = Literal["waiting", "running", "done", "stopped", "failed"]
RESULT_FILE = "study.json"


class RunProgress(Record, frozen=True, omit_defaults=False):
    """Progress of one run."""

    arm: str
    seed: int
    run: str
    """Name of its folder inside the study's folder."""
    state: State
    iteration: int
    """Last finished iteration."""
    iterations: int
    """Configured number of iterations."""
    before: float | None = None
    """Success rate on unseen tasks before the first update; None until known."""
    success: float | None = None
    """Success rate in the latest evaluation after an update; None until known."""
    evaluated: int | None = None
    """Iteration of the latest evaluation after an update."""


class StudyResult(Record, frozen=True, omit_defaults=False):
    """The contents of `study.json` in a study's folder."""

    name: str
    complete: bool
    runs: tuple[RunProgress, ...]
    compared: Study | None
    """None until a run has finished an iteration."""
    notes: tuple[str, ...] = ()
    """Runs left out of the comparison, and why."""


class StudyListener(Protocol):
    """Receives the progress of a study."""

    def on_message(self, line: str) -> None:
        """Report a message for the user."""
        ...

    def on_change(self, runs: tuple[RunProgress, ...]) -> None:
        """Report the progress of all runs, after that of one changed."""
        ...


def progress_of(run: StudyRun, state: State) -> RunProgress:
    """Return the progress of a run, from its curve. Blocks."""
    try:
        curve = read(Folders(run.folder).curve)
    except StoreError:  # reported by the run itself
        curve = []
    evaluated = {one.iteration: one.evaluation.success.rate for one in curve if one.evaluation}
    last = max(evaluated, default=0)
    return RunProgress(
        arm=run.arm,
        seed=run.seed,
        run=run.name,
        state=state,
        iteration=max((one.iteration for one in curve), default=0),
        iterations=run.config.iterations,
        before=evaluated.get(0),
        success=evaluated[last] if last else None,
        evaluated=last or None,
    )


def save_result(folder: Path, result: StudyResult) -> None:
    """Write `study.json`, which `webgym study show` reads."""
    write_whole(folder / RESULT_FILE, msgspec.json.format(msgspec.json.encode(result), indent=1))


def load_result(folder: Path) -> StudyResult:
    """Read the saved result.

    Raises:
        StoreError: There is none, or it cannot be read.
    """
    path = folder / RESULT_FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=StudyResult)
    except OSError as error:
        raise StoreError(f"there is no study in {folder}: {path} cannot be read ({error.strerror})") from None
    except msgspec.MsgspecError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error

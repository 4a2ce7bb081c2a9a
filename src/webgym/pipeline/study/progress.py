"""How far the runs of a study have come, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

import msgspec

from webgym.curves.file import read
from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.pipeline.study.compare import Study
from webgym.pipeline.study.plan import StudyRun
from webgym.pipeline.train.folders import Folders
from webgym.records.base import Record

State = Literal["waiting", "running", "done", "stopped", "failed"]
RESULT_FILE = "study.json"


class RunProgress(Record, frozen=True, omit_defaults=False):
    """One run."""

    arm: str
    seed: int
    run: str
    """Its folder, in that of the study."""
    state: State
    iteration: int
    """The last that is over."""
    iterations: int
    before: float | None = None
    """Success on unseen tasks before the first update; None until it is known."""
    success: float | None = None
    """In the last evaluation after that, likewise."""
    evaluated: int | None = None
    """The iteration of that."""


class StudyResult(Record, frozen=True, omit_defaults=False):
    """What is in a study's folder as study.json."""

    name: str
    complete: bool
    runs: tuple[RunProgress, ...]
    compared: Study | None
    """None while no run has been evaluated before and after learning."""
    notes: tuple[str, ...] = ()
    """What was left out of the comparison."""


class StudyAudience(Protocol):
    """Who is told how a study goes."""

    def say(self, line: str) -> None:
        """Something worth reading."""
        ...

    def changed(self, runs: tuple[RunProgress, ...]) -> None:
        """A run came further: all of them as they are now."""
        ...


def progress_of(run: StudyRun, state: State) -> RunProgress:
    """As its curve tells it. Blocks."""
    try:
        curve = read(Folders(run.folder).curve)
    except StoreError:  # whoever writes it will say so
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
    """For `webgym study show` and for programs."""
    write_whole(folder / RESULT_FILE, msgspec.json.format(msgspec.json.encode(result), indent=1))


def load_result(folder: Path) -> StudyResult:
    """What was saved.

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

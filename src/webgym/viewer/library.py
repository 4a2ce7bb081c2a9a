"""The runs under one folder, opened once and read anew when they have grown."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from webgym.errors import StoreError
from webgym.records.label import Label
from webgym.records.prompt import Prompt
from webgym.store.labels import labels_path, read_labels
from webgym.store.meta import META_FILE
from webgym.store.read import Run, RunSummary, find_runs, open_run, summarise
from webgym.store.rows import Row
from webgym.viewer.attempt_view import AttemptView, attempt_view
from webgym.viewer.judge_view import judges_differ
from webgym.viewer.judgements import Judgements, NoJudgements, graded_otherwise, later_judges
from webgym.viewer.labels import Standing, standing

Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(folder: Path) -> Stamp:
    """Changes whenever something is written into the folder's own files."""
    found: list[tuple[str, int, int]] = []
    for path in sorted(folder.iterdir()):
        try:
            status = path.stat()
        except FileNotFoundError:  # a journal that was just folded in
            continue
        found.append((path.name, status.st_mtime_ns, status.st_size))
    return tuple(found)


@dataclass(frozen=True)
class Listed:
    """What lists show of a run."""

    rows: list[Row] = field(default_factory=list[Row])
    """One for each attempt."""
    labels: list[Label] = field(default_factory=list[Label])
    said: dict[str, Standing] = field(default_factory=dict[str, Standing])
    """What people say of attempts, by their id."""
    problem: str = ""
    """Why the labels cannot be read."""


@dataclass
class OpenRun:
    """One run, read from any thread."""

    run: Run
    _judgements: Judgements = field(default_factory=NoJudgements)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stamp: tuple[Stamp, object] = ((), None)
    _listed: Listed = field(default_factory=Listed)
    _compared: dict[str, bool] = field(default_factory=dict[str, bool])
    """Attempts that two judges were asked about, and whether they differ: what is over does not change."""

    def listed(self) -> Listed:
        """All of it; that of the last time if nothing was written since."""
        with self._lock:
            stamp = stamp_of(self.run.path), self._judgements.stamp(self.run.path)
            if stamp != self._stamp:
                self._listed, self._stamp = self._read(), stamp
            return self._listed

    def rows(self) -> list[Row]:
        """A row for each attempt."""
        return self.listed().rows

    def attempt(self, attempt_id: str) -> AttemptView:
        """One attempt, as far as it has come."""
        # First the ending: whoever sees it must see every step before it.
        ending = self.run.ending(attempt_id)
        steps = self.run.steps(attempt_id)
        shown = attempt_view(self.run.attempt(attempt_id), steps, ending, self.listed().labels)
        with contextlib.suppress(StoreError):  # what others found later is not what this is about
            later = later_judges(self._judgements.of(self.run.path, attempt_id), len(steps))
            shown = msgspec.structs.replace(shown, judges=(*shown.judges, *later))
        return shown

    def _read(self) -> Listed:
        rows = self.run.rows()
        try:
            labels, problem = read_labels(labels_path(self.run.path)), ""
        except StoreError as error:  # the run itself can be looked at all the same
            labels, problem = [], str(error)
        differing = self._differing(rows)
        with contextlib.suppress(StoreError):
            differing += graded_otherwise(rows, self._judgements.outcomes(self.run.path))
        return Listed(rows, labels, standing(labels, differing), problem)

    def _differing(self, rows: list[Row]) -> list[str]:
        """Attempts on which two judges differ. One look tells whether this run has two judges."""
        # Of an attempt without an answer, only the first of two is asked.
        graded = [row.attempt_id for row in rows if row.reward is not None and row.answer]
        if not graded or not self._asked_twice(graded[-1]):
            return []
        for attempt_id in graded:
            if attempt_id not in self._compared:
                ending = self.run.ending(attempt_id)
                self._compared[attempt_id] = judges_differ(ending.verdict if ending else None)
        return [attempt_id for attempt_id, differs in self._compared.items() if differs]

    def _asked_twice(self, attempt_id: str) -> bool:
        ending = self.run.ending(attempt_id)
        verdict = ending.verdict if ending else None
        return verdict is not None and (verdict.second is not None or verdict.second_failed != "")

    def prompt(self, attempt_id: str, number: int) -> Prompt | None:
        """What the model was shown before one step.

        Raises:
            StoreError: There is no such step.
        """
        for step in self.run.steps(attempt_id):
            if step.number == number:
                return step.turn.prompt
        raise StoreError(f"attempt {attempt_id!r} has no step {number}")


class Library:
    """Finds runs by their key: the path from the root, looked up among the runs found there and never followed."""

    def __init__(self, root: Path, judgements: Judgements | None = None) -> None:
        self._root = root
        self._judgements = judgements or NoJudgements()
        self._lock = threading.Lock()
        self._paths: dict[str, Path] = {}
        self._open: dict[tuple[Path, int, int], OpenRun] = {}

    def summaries(self) -> dict[str, RunSummary]:
        """All runs by key, the newest first."""
        found = {self._key(Path(one.path)): one for one in find_runs(self._root)}
        with self._lock:
            self._paths = {key: Path(one.path) for key, one in found.items()}
            kept = set(self._paths.values())
            for identity in [identity for identity in self._open if identity[0] not in kept]:
                del self._open[identity]  # deleted meanwhile; closed when the last reader lets go
        return found

    def summary(self, key: str) -> RunSummary:
        """One run.

        Raises:
            StoreError: There is none under this key.
        """
        return summarise(self._path(key))

    def run(self, key: str) -> OpenRun:
        """One run, to be read.

        Raises:
            StoreError: There is none under this key, or it cannot be read.
        """
        path = self._path(key)
        try:
            status = (path / META_FILE).stat()
        except OSError as error:
            raise StoreError(f"run {key!r} is gone") from error
        identity = (path, status.st_ino, status.st_mtime_ns)
        with self._lock:
            if identity not in self._open:
                self._open[identity] = OpenRun(open_run(path), self._judgements)
            return self._open[identity]

    def _path(self, key: str) -> Path:
        if key not in self._paths:
            self.summaries()
        with self._lock:
            if key not in self._paths:
                raise StoreError(f"there is no run {key!r} in {self._root}")
            return self._paths[key]

    def _key(self, path: Path) -> str:
        relative = path.relative_to(self._root).as_posix()
        return path.resolve().name if relative == "." else relative

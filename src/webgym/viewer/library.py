"""The runs under one folder, opened once and reread when they have changed."""

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
from webgym.viewer.group_view import GroupView, group_views
from webgym.viewer.judge_view import judges_differ
from webgym.viewer.judgements import Judgements, NoJudgements, graded_otherwise, later_judges
from webgym.viewer.labels import LabelSummary, standing
from webgym.viewer.training import NoTrainings, Training, Trainings

Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(folder: Path) -> Stamp:
    """Return a value that changes whenever one of the folder's files is written."""
    found: list[tuple[str, int, int]] = []
    for path in sorted(folder.iterdir()):
        try:
            status = path.stat()
        except FileNotFoundError:  # a database journal that was just merged
            continue
        found.append((path.name, status.st_mtime_ns, status.st_size))
    return tuple(found)


@dataclass(frozen=True)
class RunListing:
    """What lists show about a run."""

    rows: list[Row] = field(default_factory=list[Row])
    """One row per attempt."""
    labels: list[Label] = field(default_factory=list[Label])
    said: dict[str, LabelSummary] = field(default_factory=dict[str, LabelSummary])
    """Label status of attempts, by their id."""
    problem: str = ""
    """Why the labels cannot be read; empty if they can."""
    groups: dict[str, GroupView] = field(default_factory=dict[str, GroupView])
    """The groups of a training run, by name."""


@dataclass
class OpenRun:
    """An open run, readable from any thread."""

    run: Run
    _judgements: Judgements = field(default_factory=NoJudgements)
    _trainings: Trainings = field(default_factory=NoTrainings)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stamp: tuple[Stamp, object] = ((), None)
    _listed: RunListing = field(default_factory=RunListing)
    _compared: dict[str, bool] = field(default_factory=dict[str, bool])
    """Whether two judges differ, for attempts that have two. Finished attempts do not change."""

    def listed(self) -> RunListing:
        """Return the lists, reread only if something was written since the last call."""
        with self._lock:
            stamp = stamp_of(self.run.path), self._judgements.stamp(self.run.path)
            if stamp != self._stamp:
                self._listed, self._stamp = self._read(), stamp
            return self._listed

    def rows(self) -> list[Row]:
        """Return one row per attempt."""
        return self.listed().rows

    def attempt(self, attempt_id: str) -> AttemptView:
        """Return one attempt, finished or not."""
        # Read the ending first, so that an attempt with an ending always has all of its steps.
        ending = self.run.ending(attempt_id)
        steps = self.run.steps(attempt_id)
        shown = attempt_view(self.run.attempt(attempt_id), steps, ending, self.listed().labels)
        with contextlib.suppress(StoreError):  # later judgements are optional
            later = later_judges(self._judgements.of(self.run.path, attempt_id), len(steps))
            shown = msgspec.structs.replace(shown, judges=(*shown.judges, *later))
        return shown

    def _read(self) -> RunListing:
        rows = self.run.rows()
        try:
            labels, problem = read_labels(labels_path(self.run.path)), ""
        except StoreError as error:  # the run itself can still be viewed
            labels, problem = [], str(error)
        differing = self._differing(rows)
        with contextlib.suppress(StoreError):
            differing += graded_otherwise(rows, self._judgements.outcomes(self.run.path))
        return RunListing(rows, labels, standing(labels, differing), problem, self._groups(rows))

    def _groups(self, rows: list[Row]) -> dict[str, GroupView]:
        if self.run.meta.kind != "train":
            return {}
        try:
            return group_views(self._trainings.groups(self.run.path, rows), rows)
        except StoreError:  # the attempts can still be viewed
            return {}

    def _differing(self, rows: list[Row]) -> list[str]:
        """Return the attempts on which two judges differ. One attempt tells whether the run has two judges."""
        # Without an answer only the first of two judges is used.
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
        """Return the prompt of one step.

        Raises:
            StoreError: There is no such step.
        """
        for step in self.run.steps(attempt_id):
            if step.number == number:
                return step.turn.prompt
        raise StoreError(f"attempt {attempt_id!r} has no step {number}")


class Library:
    """Finds runs by key: their path relative to the root. Keys are looked up, never used as paths."""

    def __init__(self, root: Path, judgements: Judgements | None = None, trainings: Trainings | None = None) -> None:
        self._root = root
        self._judgements = judgements or NoJudgements()
        self._trainings = trainings or NoTrainings()
        self._lock = threading.Lock()
        self._paths: dict[str, Path] = {}
        self._within: dict[str, str] = {}
        """The training run of each evaluation, both by key."""
        self._open: dict[tuple[Path, int, int], OpenRun] = {}

    def summaries(self) -> dict[str, RunSummary]:
        """Return all runs by key, newest first, without the evaluations of training runs."""
        found = {self.key(Path(summary.path)): summary for summary in find_runs(self._root)}
        evaluations = {
            self.key(evaluation.folder): (evaluation.folder, key)
            for key, run in found.items()
            if run.kind == "train"
            for evaluation in self._training(Path(run.path)).evaluations
        }
        with self._lock:
            self._within = {key: within for key, (_, within) in evaluations.items()}
            self._paths = {key: Path(summary.path) for key, summary in found.items()}
            self._paths |= {key: folder for key, (folder, _) in evaluations.items()}
            kept = set(self._paths.values())
            for identity in [identity for identity in self._open if identity[0] not in kept]:
                del self._open[identity]  # deleted meanwhile; closed when no longer referenced
        return {key: summary for key, summary in found.items() if key not in evaluations}

    def summary(self, key: str) -> RunSummary:
        """Return the summary of a run.

        Raises:
            StoreError: There is no run with this key.
        """
        return summarise(self._path(key))

    def within(self, key: str) -> str:
        """Return the key of the training run that a run is an evaluation of; empty if it is none."""
        with self._lock:
            return self._within.get(key, "")

    def training(self, key: str) -> Training:
        """Describe a training run, as far as its files can be read.

        Raises:
            StoreError: There is no run with this key.
        """
        return self._training(self._path(key))

    def run(self, key: str) -> OpenRun:
        """Open a run.

        Raises:
            StoreError: There is no run with this key, or it cannot be read.
        """
        path = self._path(key)
        try:
            status = (path / META_FILE).stat()
        except OSError as error:
            raise StoreError(f"run {key!r} is gone") from error
        identity = (path, status.st_ino, status.st_mtime_ns)
        with self._lock:
            if identity not in self._open:
                self._open[identity] = OpenRun(open_run(path), self._judgements, self._trainings)
            return self._open[identity]

    def key(self, path: Path) -> str:
        """Return the key of the run in this folder."""
        relative = path.relative_to(self._root).as_posix()
        return path.resolve().name if relative == "." else relative

    def _training(self, path: Path) -> Training:
        try:
            return self._trainings.training(path)
        except StoreError:  # its attempts can still be viewed
            return Training()

    def _path(self, key: str) -> Path:
        if key not in self._paths:
            self.summaries()
        with self._lock:
            if key not in self._paths:
                raise StoreError(f"there is no run {key!r} in {self._root}")
            return self._paths[key]

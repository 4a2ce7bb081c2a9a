"""Labelled attempts on disk: an ordinary run with a labels file, so that it can be viewed, exported and judged."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec

from webgym.judge.calibration.truth import Truth, truth_of
from webgym.judge.labels.truth import said
from webgym.records.label import Label
from webgym.records.task import Task
from webgym.records.trajectory import Trajectory
from webgym.store.labels import append_labels, labels_path, read_labels
from webgym.store.meta import RunMeta
from webgym.store.read import Run
from webgym.store.write import RunWriter, open_writer

_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class LabelledAttempt:
    """An attempt with its screenshots and labels."""

    trajectory: Trajectory
    pictures: Mapping[str, bytes]
    """Bytes by address, for every screenshot that the observations refer to."""
    labels: tuple[Label, ...] = field(default=())


async def write_labelled(folder: Path, name: str, items: Iterable[LabelledAttempt], command: str = "") -> int:
    """Write the attempts as a run, or add those that it lacks; return how many it now holds.

    Raises:
        StoreError: The folder holds another run, or is being written to.
    """
    meta = RunMeta(name=name, created=time.time(), command=command)
    async with open_writer(folder, meta) as writer:
        done = {*writer.finished(), *writer.lost()}
        for batch in _batches(items):
            todo = [attempt for attempt in batch if attempt.trajectory.attempt.attempt_id not in done]
            # Labels first: an attempt stored without its labels would be skipped by the next import and never get them.
            labels = [label for attempt in todo for label in attempt.labels]
            await anyio.to_thread.run_sync(append_labels, labels_path(folder), labels)
            async with anyio.create_task_group() as tasks:
                for attempt in todo:
                    tasks.start_soon(_write, writer, attempt)
            done |= {attempt.trajectory.attempt.attempt_id for attempt in todo}
    return len(done)


async def _write(writer: RunWriter, one: LabelledAttempt) -> None:
    trajectory = one.trajectory
    await writer.begin(trajectory.attempt)
    for step in trajectory.steps:
        shot = step.observation.screenshot
        needed = {} if shot is None else {shot.address: one.pictures[shot.address]}
        # Only the screenshot is kept, and a record must not refer to a picture that is not stored.
        look = msgspec.structs.replace(step.observation, labelled=None)
        await writer.step(trajectory.attempt, msgspec.structs.replace(step, observation=look), needed)
    last = trajectory.ending.last
    shot = None if last is None else last.screenshot
    await writer.end(
        trajectory.attempt, trajectory.ending, {} if shot is None else {shot.address: one.pictures[shot.address]}
    )


def _batches(items: Iterable[LabelledAttempt]) -> Iterator[list[LabelledAttempt]]:
    left = iter(items)
    while batch := list(islice(left, _AT_ONCE)):
        yield batch


@dataclass(frozen=True, slots=True)
class KnownAttempt:
    """An attempt with known ground truth."""

    attempt_id: str
    task: Task
    answered: bool
    truth: Truth


def known(run: Run) -> Iterator[KnownAttempt]:
    """Yield every attempt of a run with known ground truth, from the website itself or from the run's labels."""
    people = said(read_labels(labels_path(run.path)))
    for row in run.rows():
        ending = run.ending(row.attempt_id)
        if ending is None:
            continue
        task = run.attempt(row.attempt_id).task
        truth = truth_of(task, ending, people.get(row.attempt_id))
        if truth is not None:
            yield KnownAttempt(row.attempt_id, task, ending.answer is not None, truth)

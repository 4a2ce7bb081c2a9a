"""Labelled attempts on disk: a run like any other, with labels beside it. So they can be viewed, exported, judged."""

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
class Labelled:
    """An attempt, its pictures and what is known of it."""

    trajectory: Trajectory
    pictures: Mapping[str, bytes]
    """By address; of every screenshot that its observations refer to."""
    labels: tuple[Label, ...] = field(default=())


async def write_labelled(folder: Path, name: str, items: Iterable[Labelled], command: str = "") -> int:
    """Write them as a run, or add those that it lacks; how many there are now.

    Raises:
        StoreError: Another run is there, or someone else writes to it.
    """
    meta = RunMeta(name=name, created=time.time(), command=command)
    async with open_writer(folder, meta) as writer:
        done = set(writer.finished())
        for batch in _batches(items):
            todo = [one for one in batch if one.trajectory.attempt.attempt_id not in done]
            # Before their attempts: one that is there without its labels would never get them.
            labels = [label for one in todo for label in one.labels]
            await anyio.to_thread.run_sync(append_labels, labels_path(folder), labels)
            async with anyio.create_task_group() as tasks:
                for one in todo:
                    tasks.start_soon(_write, writer, one)
            done |= {one.trajectory.attempt.attempt_id for one in todo}
    return len(done)


async def _write(writer: RunWriter, one: Labelled) -> None:
    trajectory = one.trajectory
    await writer.begin(trajectory.attempt)
    for step in trajectory.steps:
        shot = step.observation.screenshot
        needed = {} if shot is None else {shot.address: one.pictures[shot.address]}
        # Other pictures of a look were not kept, and none may be referred to that is not there.
        look = msgspec.structs.replace(step.observation, labelled=None)
        await writer.step(trajectory.attempt, msgspec.structs.replace(step, observation=look), needed)
    last = trajectory.ending.last
    shot = None if last is None else last.screenshot
    await writer.end(
        trajectory.attempt, trajectory.ending, {} if shot is None else {shot.address: one.pictures[shot.address]}
    )


def _batches(items: Iterable[Labelled]) -> Iterator[list[Labelled]]:
    left = iter(items)
    while batch := list(islice(left, _AT_ONCE)):
        yield batch


@dataclass(frozen=True, slots=True)
class Known:
    """An attempt of which something is known."""

    attempt_id: str
    task: Task
    answered: bool
    truth: Truth


def known(run: Run) -> Iterator[Known]:
    """Every attempt of a run of which something is known, by the website itself or by the labels beside the run."""
    people = said(read_labels(labels_path(run.path)))
    for row in run.rows():
        ending = run.ending(row.attempt_id)
        if ending is None:
            continue
        task = run.attempt(row.attempt_id).task
        truth = truth_of(task, ending, people.get(row.attempt_id))
        if truth is not None:
            yield Known(row.attempt_id, task, ending.answer is not None, truth)

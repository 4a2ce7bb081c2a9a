"""Which tasks an iteration attempts: a function of seed, iteration and stored attempts, so that a resume repeats it."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from webgym.buffer.groups import Group
from webgym.files import write_whole
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.rng import Rng
from webgym.store.read import locate, open_run
from webgym.store.rows import Row
from webgym.tasks.samplers.informative import weights_of

Worth = Callable[[int], Sequence[float]]
"""Returns the sampling weight of each task in an iteration. Blocks."""
Counts = dict[str, tuple[int, int]]
"""Successes and failures by task."""
_PAIR = 2
"""Attempts in the comparison that weights are based on."""
_LARGEST = 1e9
LEAST = 0.02
"""Smallest sampling weight, so that a task that looks hopeless is still tried now and then."""


def attempt_groups(
    tasks: Sequence[Task], iteration: int, members: int, seed: int, worth: Sequence[float] | None = None
) -> Iterator[tuple[Attempt, ...]]:
    """Yield groups without end; every task comes up once before any is repeated.

    Args:
        tasks: Tasks to choose from.
        iteration: Number of the iteration.
        members: Attempts per group.
        seed: Seed of the order of tasks.
        worth: Sampling weight of each task: tasks with larger weights tend to come first. None: uniform.
    """
    number = 0
    turn = 0
    while True:
        for task in _ordered(tasks, Rng("curriculum", seed, iteration, turn), worth):
            yield _group(task, iteration, number, members, seed)
            number += 1
        turn += 1


def of_iteration(iteration: int) -> str:
    """Return the prefix of the attempt ids of an iteration."""
    return f"{iteration:05d}/"


class Standing:
    """Success and failure counts of each task so far.

    Tasks that are solved sometimes are the most informative. A task that was never tried is estimated from others of
    its domain, template and level. With a half-life, an attempt counts half once so many others were counted: a policy
    that learns leaves its rates behind.
    """

    def __init__(self, tasks: Sequence[Task], half_life: float = 0, sharpness: float = 1) -> None:
        self._places = {task.task_id: place for place, task in enumerate(tasks)}
        templates = {kind: number for number, kind in enumerate(sorted({_kind(task) for task in tasks}))}
        self._kinds = np.array([templates[_kind(task)] for task in tasks], dtype=np.int64)
        self._won, self._lost = np.zeros(len(tasks)), np.zeros(len(tasks))
        self._growth = 2 ** (1 / half_life) if half_life else 1.0
        self._sharpness = sharpness
        self._unit = 1.0
        """What an attempt counts now. It grows, so that earlier ones count less without a pass over all tasks."""

    def copy(self) -> Standing:
        other = copy.copy(self)
        other._won, other._lost = self._won.copy(), self._lost.copy()  # noqa: SLF001
        return other

    def add(self, task_id: str, reward: float | None, times: int = 1) -> None:
        """Count a finished attempt, or several; one without a reward is ignored."""
        place = self._places.get(task_id)
        if place is None or reward is None:
            return
        self._unit *= self._growth**times
        (self._won if reward else self._lost)[place] += times * self._unit
        if self._unit > _LARGEST:
            self._won, self._lost, self._unit = self._won / self._unit, self._lost / self._unit, 1.0

    def note(self, task: Task, group: Group) -> None:
        """Count all members of a group at this task."""
        for reward in group.rewards:
            self.add(task.task_id, reward)

    def worth(self) -> list[float]:
        """Return the sampling weight of each task, at least that of `LEAST`.

        The weight is the probability that two attempts differ in outcome, whatever the group size: it is proportional
        to the squared signal-to-noise ratio of the gradient. The probability that a group of eight is mixed is close to
        1 for all but hopeless tasks, and hardly discriminates.
        """
        won, lost = self._won / self._unit, self._lost / self._unit
        return (np.maximum(weights_of(won, lost, self._kinds, _PAIR), LEAST) ** self._sharpness).tolist()


def standing_of(standing: Standing, runs: Sequence[str], kept: Path) -> Standing:
    """Return `standing`, with the counts of its tasks in other runs. Blocks.

    They are kept in a file the first time: by the time of a resume, those runs may have grown or be gone.

    Raises:
        StoreError: There is no such run.
    """
    if not runs:
        return standing
    if kept.is_file():
        counts = msgspec.json.decode(kept.read_bytes(), type=Counts)
    else:
        counts = _counted(runs)
        write_whole(kept, msgspec.json.encode(counts))
    for task_id, rewards in counts.items():
        for reward, times in zip((1.0, 0.0), rewards, strict=True):
            standing.add(task_id, reward, times)
    return standing


def _counted(runs: Iterable[str]) -> Counts:
    counts: Counts = {}
    for run in runs:
        with open_run(locate(Path(run))) as tried:
            for row in tried.rows():
                if row.reward is not None:
                    won, lost = counts.get(row.task_id, (0, 0))
                    counts[row.task_id] = (won + 1, lost) if row.reward else (won, lost + 1)
    return counts


def informative(before: Standing, rows: Callable[[], Sequence[Row]]) -> Worth:
    """Return weights that count only attempts of earlier iterations, so that a restart computes the same ones."""

    def worth(iteration: int) -> list[float]:
        standing = before.copy()
        for row in rows():
            if row.attempt_id < of_iteration(iteration):
                standing.add(row.task_id, row.reward)
        return standing.worth()

    return worth


def _kind(task: Task) -> tuple[str, str, str]:
    return task.domain, task.template, task.level


def _ordered(tasks: Sequence[Task], rng: Rng, worth: Sequence[float] | None) -> list[Task]:
    if worth is None:
        return rng.shuffled(list(tasks))
    # Sorting by exponential waiting times is weighted sampling without replacement.
    waits = [-math.log1p(-rng.unit()) / max(one, LEAST) for one in worth]
    return [tasks[place] for place in sorted(range(len(tasks)), key=waits.__getitem__)]


def _group(task: Task, iteration: int, number: int, members: int, seed: int) -> tuple[Attempt, ...]:
    name = f"{of_iteration(iteration)}{number:04d}/{task.task_id}"
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

"""Which tasks an iteration attempts: the same ones when it is resumed, without anything to remember."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.sites.rng import Rng
from webgym.store.read import locate, open_run
from webgym.store.rows import Row
from webgym.tasks.samplers.informative import weights_of

Worth = Callable[[int], Sequence[float]]
"""How much attempts at each task would teach in an iteration. Blocks."""
_PAIR = 2
"""Attempts, of which the chance that they differ is looked at."""
LEAST = 0.02
"""Every task keeps this chance against one that is sure to teach: what was hopeless may not stay so."""


def attempt_groups(
    tasks: Sequence[Task], iteration: int, members: int, seed: int, worth: Sequence[float] | None = None
) -> Iterator[tuple[Attempt, ...]]:
    """Group after group, without end. No task comes twice before all have come once.

    Args:
        tasks: To choose from.
        iteration: Of which these are.
        members: Attempts in a group.
        seed: Decides about the order.
        worth: Of each task: the more, the sooner it is likely to come. None: all are alike.
    """
    number = 0
    turn = 0
    while True:
        for task in _ordered(tasks, Rng("curriculum", seed, iteration, turn), worth):
            yield _group(task, iteration, number, members, seed)
            number += 1
        turn += 1


def of_iteration(iteration: int) -> str:
    """What the names of an iteration's attempts begin with."""
    return f"{iteration:05d}/"


class Standing:
    """How attempts at each task went so far.

    Tasks that are sometimes solved teach most; of one that was never tried, the others of its template tell.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._places = {task.task_id: place for place, task in enumerate(tasks)}
        templates = {kind: number for number, kind in enumerate(sorted({_kind(task) for task in tasks}))}
        self._kinds = np.array([templates[_kind(task)] for task in tasks], dtype=np.int64)
        self._won, self._lost = np.zeros(len(tasks)), np.zeros(len(tasks))

    def copy(self) -> Standing:
        """As it is now."""
        other = copy.copy(self)
        other._won, other._lost = self._won.copy(), self._lost.copy()  # noqa: SLF001
        return other

    def add(self, task_id: str, reward: float | None) -> None:
        """An attempt is over. One without a reward says nothing."""
        place = self._places.get(task_id)
        if place is not None and reward is not None:
            (self._won if reward else self._lost)[place] += 1

    def worth(self) -> list[float]:
        """How much attempts at each task would teach; never nothing.

        The chance that two of them differ, in groups of any size: it goes with the squared signal over noise of a
        gradient. That some of eight differ is nearly sure of all tasks but the hopeless, and hardly tells them apart.
        """
        return np.maximum(weights_of(self._won, self._lost, self._kinds, _PAIR), LEAST).tolist()


def standing_of(tasks: Sequence[Task], runs: Iterable[str]) -> Standing:
    """How attempts at them went in other runs. Blocks.

    Raises:
        StoreError: There is no such run.
    """
    standing = Standing(tasks)
    for run in runs:
        with open_run(locate(Path(run))) as tried:
            for row in tried.rows():
                standing.add(row.task_id, row.reward)
    return standing


def informative(before: Standing, rows: Callable[[], Sequence[Row]]) -> Worth:
    """Of an iteration. What counts is what was over before it began, so that a restart comes to the same."""

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
    # Drawn one after the other, each by its worth: the smallest of exponential waits come first.
    waits = [-math.log1p(-rng.unit()) / max(one, LEAST) for one in worth]
    return [tasks[place] for place in sorted(range(len(tasks)), key=waits.__getitem__)]


def _group(task: Task, iteration: int, number: int, members: int, seed: int) -> tuple[Attempt, ...]:
    name = f"{of_iteration(iteration)}{number:04d}/{task.task_id}"
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

"""Which tasks an iteration attempts: the same ones when it is resumed, without anything to remember."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.sites.rng import Rng
from webgym.store.rows import Row
from webgym.tasks.samplers.informative import weights_of

Worth = Callable[[int, int], Sequence[float]]
"""How much groups of so many attempts at each task would teach in an iteration. Blocks."""
_LEAST = 0.02
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


def informative(tasks: Sequence[Task], rows: Callable[[], Sequence[Row]]) -> Worth:
    """Tasks that are sometimes solved teach most; of one that was never tried, the others of its template tell.

    What counts is what was over before the iteration began, so that a restart comes to the same.
    """
    places = {task.task_id: place for place, task in enumerate(tasks)}
    templates = {kind: number for number, kind in enumerate(sorted({_kind(task) for task in tasks}))}
    kinds = np.array([templates[_kind(task)] for task in tasks], dtype=np.int64)

    def worth(iteration: int, members: int) -> list[float]:
        won, lost = np.zeros(len(tasks)), np.zeros(len(tasks))
        for row in rows():
            place = places.get(row.task_id)
            if place is not None and row.reward is not None and row.attempt_id < of_iteration(iteration):
                (won if row.reward else lost)[place] += 1
        return weights_of(won, lost, kinds, members).tolist()

    return worth


def _kind(task: Task) -> tuple[str, str, str]:
    return task.domain, task.template, task.level


def _ordered(tasks: Sequence[Task], rng: Rng, worth: Sequence[float] | None) -> list[Task]:
    if worth is None:
        return rng.shuffled(list(tasks))
    # Drawn one after the other, each by its worth: the smallest of exponential waits come first.
    waits = [-math.log1p(-rng.unit()) / max(one, _LEAST) for one in worth]
    return [tasks[place] for place in sorted(range(len(tasks)), key=waits.__getitem__)]


def _group(task: Task, iteration: int, number: int, members: int, seed: int) -> tuple[Attempt, ...]:
    name = f"{of_iteration(iteration)}{number:04d}/{task.task_id}"
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

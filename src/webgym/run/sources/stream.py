"""Endless streams of groups to attempt."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.rng import Rng


def stream(
    tasks: Sequence[Task], members: int, seed: int, settled: Collection[str] = ()
) -> Iterator[tuple[Attempt, ...]]:
    """Yield groups that are not settled; every task comes up once before any is repeated.

    The stream is a function of the seed, so a restart begins it again at the first group, skips the settled ones, which
    were learned from or dropped, and yields the others in the same order. Their finished attempts are in the store.
    """
    numbers = itertools.count()
    for turn in itertools.count():
        for task in Rng("stream", seed, turn).shuffled(list(tasks)):
            name = f"{next(numbers):06d}/{task.task_id}"
            if name not in settled:
                yield _group(task, name, members, seed)


def adaptive_stream(
    tasks: Sequence[Task],
    members: int,
    seed: int,
    worth: Callable[[], Sequence[float]],
    *,
    settled: Collection[str] = (),
    begun: Collection[str] = (),
) -> Iterator[tuple[Attempt, ...]]:
    """Yield groups at tasks sampled by their current weights.

    After a restart, groups that had started and are not settled come first. New draws differ from those of an
    uninterrupted run, as the weights do.

    Args:
        tasks: Tasks to choose from.
        members: Attempts per group.
        seed: Seed of the draws.
        worth: Returns the current sampling weight of each task.
        settled: Groups that were learned from or dropped.
        begun: Groups with attempts in the store.
    """
    known = {task.task_id: task for task in tasks}
    for name in sorted(set(begun) - set(settled)):
        if (task := known.get(_task_of(name))) is not None:
            yield _group(task, name, members, seed)
    first = max((_number_of(name) for name in {*begun, *settled}), default=-1) + 1
    # Tasks drawn recently are skipped: their groups may still be running, so their weights are out of date.
    recent = deque[int](maxlen=len(tasks) // 4)
    for number in itertools.count(first):
        rest = set(recent)
        weights = [(place, one) for place, one in enumerate(worth()) if place not in rest]
        place = Rng("stream", seed, "draw", number).weighted(weights)
        recent.append(place)
        yield _group(tasks[place], f"{number:06d}/{tasks[place].task_id}", members, seed)


def _number_of(name: str) -> int:
    return int(name.partition("/")[0])


def _task_of(name: str) -> str:
    return name.partition("/")[2]


def _group(task: Task, name: str, members: int, seed: int) -> tuple[Attempt, ...]:
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

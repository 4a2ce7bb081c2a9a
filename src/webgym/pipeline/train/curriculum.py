"""Which tasks an iteration attempts: the same ones when it is resumed, without anything to remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.sites.rng import Rng


def attempt_groups(tasks: Sequence[Task], iteration: int, members: int, seed: int) -> Iterator[tuple[Attempt, ...]]:
    """Group after group, without end. No task comes twice before all have come once."""
    number = 0
    turn = 0
    while True:
        for task in Rng("curriculum", seed, iteration, turn).shuffled(list(tasks)):
            yield _group(task, iteration, number, members, seed)
            number += 1
        turn += 1


def of_iteration(iteration: int) -> str:
    """What the names of an iteration's attempts begin with."""
    return f"{iteration:05d}/"


def _group(task: Task, iteration: int, number: int, members: int, seed: int) -> tuple[Attempt, ...]:
    name = f"{of_iteration(iteration)}{number:04d}/{task.task_id}"
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

"""What is attempted, group after group, without end: the same sequence after a restart, with nothing to remember."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.sites.rng import Rng


def stream(
    tasks: Sequence[Task], members: int, seed: int, settled: Collection[str] = ()
) -> Iterator[tuple[Attempt, ...]]:
    """Groups of attempts, less those that are settled. No task comes twice before all have come once.

    A restart begins again at the first group. Those that were learned from or dropped are settled; the others come in
    the order in which they came before, and those of their attempts that are over are found in the store.
    """
    numbers = itertools.count()
    for turn in itertools.count():
        for task in Rng("stream", seed, turn).shuffled(list(tasks)):
            name = f"{next(numbers):06d}/{task.task_id}"
            if name not in settled:
                yield _group(task, name, members, seed)


def _group(task: Task, name: str, members: int, seed: int) -> tuple[Attempt, ...]:
    return tuple(
        Attempt(f"{name}/{member}", task, name, member, Rng("member", seed, name, member).below(2**31))
        for member in range(members)
    )

"""What is attempted, group after group, without end."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.sites.rng import Rng


def stream(
    tasks: Sequence[Task], members: int, seed: int, settled: Collection[str] = ()
) -> Iterator[tuple[Attempt, ...]]:
    """Groups of attempts, less those that are settled. No task comes twice before all have come once.

    The sequence is the same after a restart, with nothing to remember: it begins again at the first
    group. Those that were learned from or dropped are settled; the others come in the order in which they came before,
    and those of their attempts that are over are found in the store.
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
    """Groups of attempts at tasks that are drawn by what they are worth when a group begins.

    After a restart the groups that had begun and are not settled come first, and then others are drawn: what was drawn
    before is not drawn the same way again, for meanwhile more is known.

    Args:
        tasks: To choose from.
        members: Attempts in a group.
        seed: Decides what is drawn.
        worth: Of each task, now.
        settled: Groups that were learned from or dropped.
        begun: Groups of which the store has something.
    """
    known = {task.task_id: task for task in tasks}
    for name in sorted(set(begun) - set(settled)):
        if (task := known.get(_task_of(name))) is not None:
            yield _group(task, name, members, seed)
    first = max((_number_of(name) for name in {*begun, *settled}), default=-1) + 1
    # What is under way has not told yet what it is worth.
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

"""Which groups may begin: those of tasks that are in the pool when they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt

Groups = Iterator[tuple[Attempt, ...]]
Sift = Callable[[Groups], Groups]
"""Leaves out what may not begin."""


def everything(groups: Groups) -> Groups:
    """Nothing is left out."""
    return groups


def present(
    groups: Groups,
    tasks: Sequence[Task],
    is_away: Callable[[Task], bool],
    *,
    begun: Collection[str] = (),
    say: Callable[[str], None] | None = None,
) -> Groups:
    """Groups of an endless stream, without those whose tasks are away when they come up. The others keep their names.

    Args:
        groups: All of them.
        tasks: That they are of. If all are away, none is left out: there would be nothing to wait for.
        is_away: Whether a task is out of the pool now.
        begun: Groups that had begun before a restart. They come first: nothing that was tried is given up.
        say: Told, once, that all are away.
    """
    last, passed = max(begun, default=""), list[tuple[Attempt, ...]]()
    told = False

    def may_begin(attempts: tuple[Attempt, ...]) -> bool:
        nonlocal told
        if not is_away(attempts[0].task):
            return True
        if not all(is_away(task) for task in tasks):
            return False
        if say is not None and not told:
            told = True
            say("all tasks are out of the pool: they are attempted as if none were")
        return True

    for attempts in groups:
        name = attempts[0].group
        if name in begun:
            yield attempts
        elif name <= last:
            passed.append(attempts)
        else:
            yield from filter(may_begin, passed)
            passed.clear()
            if may_begin(attempts):
                yield attempts

"""Filter groups by quarantine: only tasks that are in the pool when they come up are attempted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.run.training_resources import TrainingResources

Groups = Iterator[tuple[Attempt, ...]]
Sift = Callable[[Groups], Groups]
"""Filters out groups that must not start."""


def everything(groups: Groups) -> Groups:
    """Keep all groups."""
    return groups


def sift_of(run: TrainingResources) -> Sift:
    """Return a filter that skips groups whose task is quarantined in the health database. Blocks."""
    health_recorder, say = run.health_recorder, run.progress.on_message
    if health_recorder is None or not run.config.tasks.quarantine:
        return everything
    begun = {row.group for row in run.store.rows()}
    return lambda groups: present(groups, run.tasks, health_recorder.is_away, begun=begun, say=say)


def present(
    groups: Groups,
    tasks: Sequence[Task],
    is_away: Callable[[Task], bool],
    *,
    begun: Collection[str] = (),
    say: Callable[[str], None] | None = None,
) -> Groups:
    """Yield the groups of an endless stream, skipping those whose task is out of the pool; names do not change.

    Args:
        groups: The stream.
        tasks: All tasks of the stream. If every one is out of the pool, none is skipped, or the stream would hang.
        is_away: Whether a task is out of the pool now.
        begun: Groups that started before a restart. They come first and are never skipped.
        say: Called once if every task is out of the pool.
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
            say("all tasks are quarantined: ignoring the quarantine")
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

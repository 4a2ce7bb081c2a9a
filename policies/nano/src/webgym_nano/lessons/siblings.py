"""Sibling tasks: other questions about the same thing, such as the weight of a hat whose price was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from webgym_hermetic.goal import Goal
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import task_from
from webgym_hermetic.worlds import world_of

from webgym.records.task import Task
from webgym.rng import Rng

_MOST_VALUES = 40
"""A field with more values identifies the subject of a question; one with fewer says what is asked about it."""
NO_SUCH = (LookupError, ValueError, AttributeError, TypeError, StopIteration, RuntimeError)
"""What goals may raise for a subject that lacks what they ask for. (A `next` that finds nothing raises RuntimeError
within a generator.)"""


def siblings(site: Site, goals: Sequence[Goal], drawn: Sequence[Goal], rng: Rng) -> Iterator[Task]:
    """Yield tasks that differ from one of these goals in one field, set as in another goal of its type.

    The caller must check whether there is an answer, and whether it is on the same page.

    Args:
        site: The site.
        goals: The goals of the attempt's task.
        drawn: Goals of other tasks of the site, whose field values make sense on it.
        rng: Determines the order.
    """
    world = world_of(site)
    likely = [other for goal in goals if goal.answer(world) for other in _variants(goal, drawn)]
    for number, goal in enumerate(rng.shuffled(likely)):
        try:
            yield task_from(site, f"{site.name}-sibling-{number}", "sibling", (goal,))
        except NO_SUCH:
            continue


def _variants(goal: Goal, drawn: Sequence[Goal]) -> Iterator[Goal]:
    alike = [other for other in drawn if type(other) is type(goal)]
    for name in goal.__struct_fields__:
        own = getattr(goal, name)
        if not _is_plain(own):
            continue
        values: set[Any] = {getattr(other, name) for other in alike if _is_plain(getattr(other, name))}
        values.discard(own)
        if len(values) <= _MOST_VALUES:
            yield from (msgspec.structs.replace(goal, **{name: value}) for value in sorted(values, key=str))


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, tuple))

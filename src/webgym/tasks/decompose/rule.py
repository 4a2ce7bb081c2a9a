"""Which parts a task has.

A task can be cut if it has at least two fact groups and one of them is large: it has at least three facts. A part is
some of its groups, not all, with a large one among them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from webgym.records.task import FactGroup
from webgym.tasks.decompose.alike import plain

LARGE = 3
"""Facts."""
FEWEST_GROUPS = 2
MOST_PARTS = 6
"""Of one task, unless another number is asked for."""
_LOOKED_AT = 32
"""Candidates for each part that is wanted: a rubric that says the same over and over has few parts, and very many
subsets."""

Groups = Sequence[FactGroup]


def can_be_cut(rubric: Groups) -> bool:
    """Whether the rule gives parts."""
    return len(rubric) >= FEWEST_GROUPS and any(map(_is_large, rubric))


def parts_of(rubric: Groups, most: int = MOST_PARTS) -> tuple[tuple[int, ...], ...]:
    """The parts, each as the places of its groups from 0, in order; none if the task cannot be cut.

    No two parts ask for the same facts, and none asks for all of them. If there are more than wanted, small and large
    ones are taken in turn: single groups, then all groups but one, then pairs, and so on.
    """
    if not can_be_cut(rubric) or most < 1:
        return ()
    facts = [frozenset(map(plain, group.facts)) for group in rubric]
    seen = {frozenset[str]().union(*facts)}
    chosen: list[tuple[int, ...]] = []
    for part in itertools.islice(_candidates(rubric), most * _LOOKED_AT):
        asked = frozenset[str]().union(*(facts[place] for place in part))
        if asked not in seen:
            seen.add(asked)
            chosen.append(part)
            if len(chosen) == most:
                break
    return tuple(chosen)


def _candidates(rubric: Groups) -> Iterator[tuple[int, ...]]:
    for size in _sizes(len(rubric)):
        yield from _of_size(rubric, size)


def _sizes(groups: int) -> Iterator[int]:
    """1, all but one, 2, all but two…: each once."""
    low, high = 1, groups - 1
    while low <= high:
        yield low
        if low < high:
            yield high
        low, high = low + 1, high - 1


def _of_size(rubric: Groups, size: int) -> Iterator[tuple[int, ...]]:
    """Each subset with a large group exactly once: under the first large group that it has.

    Going through all subsets and dropping those without one could take for ever.
    """
    large = [place for place, group in enumerate(rubric) if _is_large(group)]
    for nth, first in enumerate(large):
        others = [place for place in range(len(rubric)) if place not in large[: nth + 1]]
        for more in itertools.combinations(others, size - 1):
            yield tuple(sorted((first, *more)))


def _is_large(group: FactGroup) -> bool:
    return len(group.facts) >= LARGE

"""The rule that decides which subtasks a task has.

A task can be decomposed if it has at least two fact groups, one of them large: with at least three facts. A subtask is
a proper subset of its groups with at least one large one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from webgym.records.task import FactGroup
from webgym.tasks.decompose.alike import plain

LARGE = 3
"""Number of facts from which a group is large."""
FEWEST_GROUPS = 2
MOST_PARTS = 6
"""Default maximum of subtasks per task."""
_LOOKED_AT = 32
"""Candidates examined per subtask wanted: a repetitive rubric has few distinct subtasks but very many subsets."""

Groups = Sequence[FactGroup]


def can_be_cut(rubric: Groups) -> bool:
    """Whether the task can be decomposed."""
    return len(rubric) >= FEWEST_GROUPS and any(map(_is_large, rubric))


def parts_of(rubric: Groups, most: int = MOST_PARTS) -> tuple[tuple[int, ...], ...]:
    """Return the subtasks, each as sorted indices of fact groups; none if the task cannot be decomposed.

    No two subtasks ask for the same facts, and none for all of them. If there are more than `most`, small and large
    ones alternate: single groups, then all groups but one, then pairs, and so on.
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
    """Yield 1, n-1, 2, n-2, …, each once, for n groups."""
    low, high = 1, groups - 1
    while low <= high:
        yield low
        if low < high:
            yield high
        low, high = low + 1, high - 1


def _of_size(rubric: Groups, size: int) -> Iterator[tuple[int, ...]]:
    """Yield each subset with a large group exactly once, under its first large group.

    Filtering all subsets for those with a large group could take exponential time.
    """
    large = [place for place, group in enumerate(rubric) if _is_large(group)]
    for nth, first in enumerate(large):
        others = [place for place in range(len(rubric)) if place not in large[: nth + 1]]
        for more in itertools.combinations(others, size - 1):
            yield tuple(sorted((first, *more)))


def _is_large(group: FactGroup) -> bool:
    return len(group.facts) >= LARGE

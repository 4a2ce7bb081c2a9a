"""Which screenshots are shown in full: for each fact those that tell most about it, and always the last one."""

from __future__ import annotations

from collections.abc import Sequence


def keyframes(relevance: Sequence[Sequence[int]], answer: Sequence[int], top: int, most: int) -> tuple[int, ...]:
    """Places of the screenshots to show, in order. `relevance` has a row for each fact, a column for each screenshot.

    `answer` is one more row, of the answer: as it may hold several claims, it gets twice as many.

    Every fact gets its best screenshot before any gets its second, so that a limit is not used up by the first facts.
    Of equally relevant ones the later comes first: it shows how things ended. A fact that no screenshot is said to tell
    about gets the latest ones: a first look that missed something must not decide alone that it is not shown.
    """
    if not answer:
        return ()
    chosen = {len(answer) - 1}
    latest = list(range(len(answer) - 1, -1, -1))
    ranked = [_ranked(answer)[: 2 * top], *((_ranked(row) or latest)[:top] for row in relevance)]
    for place in range(2 * top):
        for row in ranked:
            if len(chosen) >= most:
                return tuple(sorted(chosen))
            if place < len(row):
                chosen.add(row[place])
    return tuple(sorted(chosen))


def _ranked(row: Sequence[int]) -> list[int]:
    return sorted((index for index, one in enumerate(row) if one > 0), key=lambda index: (-row[index], -index))

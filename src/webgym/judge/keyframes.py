"""Keyframe selection: for each fact the most relevant screenshots, and always the last one."""

from __future__ import annotations

from collections.abc import Sequence


def keyframes(relevance: Sequence[Sequence[int]], answer: Sequence[int], top: int, most: int) -> tuple[int, ...]:
    """Return the sorted indices of the keyframes. `relevance` has one row per fact and one column per screenshot.

    `answer` is the row of the answer; it gets twice as many keyframes, as it may make several claims.

    Every fact gets its best screenshot before any gets its second, so that the first facts do not use up the limit.
    Ties go to the later screenshot, which is closer to the final state. A fact without a relevant screenshot gets the
    latest ones: an oversight in the relevance pass alone must not hide the evidence.
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
    return sorted(
        (index for index, relevance in enumerate(row) if relevance > 0), key=lambda index: (-row[index], -index)
    )

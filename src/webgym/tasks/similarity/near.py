"""Search for near-duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.similarity.minhash import BANDS, Signatures, band, counted, likely, similar
from webgym.tasks.similarity.shingles import Numbers, Places, Shingles, mixed

_MOST_LEADERS = 24
"""Maximum leaders per bucket that the others are compared with. Buckets of one website rarely need more than three."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """`left[i]` is similar to `right[i]`."""

    left: Places
    right: Places
    similarity: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ComparisonScope:
    """Which texts are compared, and which of two similar ones is kept."""

    rank: Places
    """The text of lower rank is kept."""
    groups: Numbers
    """Only texts of the same group are compared."""
    apart: Places
    """Texts with equal values here are never duplicates of each other."""
    least: float
    """Similarity from which on texts are duplicates."""
    figures: bool = True
    """Whether duplicates must contain the same numbers."""


def survivors(
    shingles: Shingles, signatures: Signatures, compared: ComparisonScope
) -> tuple[Places, NDArray[np.float64]]:
    """Return for each text its representative, possibly itself, and their similarity."""
    stands = np.arange(len(shingles), dtype=np.int64)
    alike = np.ones(len(shingles), np.float64)
    alive = shingles.lengths() > 0
    salt = mixed(compared.groups)
    if compared.figures:
        with np.errstate(over="ignore"):
            salt = mixed(salt + shingles.figures)
    for number in range(BANDS):
        keys = band(signatures, number) ^ salt
        for leader, member in _meetings(keys, compared.rank, alive):
            close = compared.apart[leader] != compared.apart[member]
            close &= likely(signatures, leader, member, compared.least)
            left, right = leader[close], member[close]
            found = similar(shingles, left, right)
            same = found >= compared.least
            stands[right[same]], alike[right[same]] = left[same], found[same]
            alive[right[same]] = False
    return settled(stands), alike


def _meetings(keys: Numbers, rank: Places, alive: NDArray[np.bool_]) -> Iterator[tuple[Places, Places]]:
    """Yield the texts of each bucket paired with its leader, then the remaining ones with the next leader, and so on.

    The caller updates `alive` in between; it is read again in every round.
    """
    members = np.flatnonzero(alive)
    members = members[np.lexsort((rank[members], keys[members]))]
    for _ in range(_MOST_LEADERS):
        members = members[alive[members]]
        of = keys[members]
        first = np.ones(len(members), bool)
        first[1:] = of[1:] != of[:-1]
        alone = first.copy()
        alone[:-1] &= first[1:]
        members, first = members[~alone], first[~alone]
        if not len(members):
            return
        leader = members[first][np.cumsum(first) - 1]
        yield leader[~first], members[~first]
        members = members[~first]


def across(shingles: Shingles, signatures: Signatures, ours: Places, theirs: Places, least: float) -> Pairs:
    """Return every similar pair with one text in `ours` and one in `theirs`, each once."""
    ours, theirs = (part[shingles.lengths()[part] > 0] for part in (ours, theirs))
    found: list[NDArray[np.int64]] = []
    for number in range(BANDS):
        keys = band(signatures, number)
        order = ours[np.argsort(keys[ours], kind="stable")]
        sorted_keys = keys[order]
        low = np.searchsorted(sorted_keys, keys[theirs], "left")
        counts = np.searchsorted(sorted_keys, keys[theirs], "right") - low
        right = np.repeat(theirs, counts)
        left = order[np.repeat(low, counts) + counted(counts)]
        close = likely(signatures, left, right, least)
        found.append(np.stack([left[close], right[close]]))
    pairs = np.unique(np.concatenate(found, axis=1), axis=1)
    alike = similar(shingles, pairs[0], pairs[1])
    kept = alike >= least
    return Pairs(pairs[0][kept], pairs[1][kept], alike[kept])


def settled(stands: Places) -> Places:
    """Follow chains of representatives to their ends."""
    while True:
        further = stands[stands]
        if np.array_equal(further, stands):
            return stands
        stands = further

"""Pairs of similar texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.similarity.minhash import BANDS, Signatures, band, counted, likely, similar
from webgym.tasks.similarity.shingles import Numbers, Places, Shingles, mixed

_MOST_LEADERS = 24
"""Texts of one bucket that the others are compared with. Buckets of one website rarely need more than two or three."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """`left[i]` is similar to `right[i]`."""

    left: Places
    right: Places
    similarity: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Compared:
    """Which texts are compared, and which of two similar ones stays."""

    rank: Places
    """The one of lower rank stays."""
    groups: Numbers
    """Only texts of one group are compared."""
    apart: Places
    """Texts that are the same here are different on purpose."""
    least: float
    """From which similarity on texts are taken for the same."""
    figures: bool = True
    """Only texts with the same numbers in them are."""


def survivors(shingles: Shingles, signatures: Signatures, compared: Compared) -> tuple[Places, NDArray[np.float64]]:
    """For each text the one that stands for it, which may be itself, and how similar they are."""
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
    """The texts of each bucket with its leader; then those left with the next leader, and so on.

    What is compared may be found similar in between: `alive` is looked at again in every round.
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
    """Every two similar texts of which one is among `ours` and one among `theirs`; each two once."""
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
    """Follow who stands for whom to the end."""
    while True:
        further = stands[stands]
        if np.array_equal(further, stands):
            return stands
        stands = further

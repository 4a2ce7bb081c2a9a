"""MinHash signatures with banded LSH, which find similar texts without comparing all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.similarity.shingles import Numbers, Places, Shingles, mixed

HASHES = 64
BANDS = 16
"""Bands of four hashes each: texts with a similarity of 80 % collide in a band with probability 99.98 %."""
_ROWS = HASHES // BANDS
_SLACK = 0.15
"""Three standard deviations of the estimate at a similarity of 80 %."""
_PAIRS_AT_ONCE = 50_000
_TEXTS_AT_ONCE = 60_000

Signatures = NDArray[np.uint32]


def signatures_of(shingles: Shingles) -> Signatures:
    """Return one row per text. Rows of texts without shingles are meaningless."""
    total = len(shingles)
    signatures = np.zeros((total, HASHES), np.uint32)
    salts = mixed(np.arange(1, HASHES + 1, dtype=np.uint64))
    for begin in range(0, total, _TEXTS_AT_ONCE):
        end = min(begin + _TEXTS_AT_ONCE, total)
        starts = shingles.starts[begin : end + 1]
        some = np.flatnonzero(np.diff(starts))
        if not len(some):
            continue
        values = shingles.values[starts[0] : starts[-1]]
        at = (starts[:-1] - starts[0])[some]
        for column, salt in enumerate(salts):
            lowest = np.minimum.reduceat((mixed(values ^ salt) >> np.uint64(32)).astype(np.uint32), at)
            signatures[begin + some, column] = lowest
    return signatures


def band(signatures: Signatures, number: int) -> Numbers:
    """Return the texts' bucket keys in one band."""
    part = np.ascontiguousarray(signatures[:, number * _ROWS : (number + 1) * _ROWS]).view(np.uint64)
    with np.errstate(over="ignore"):
        return mixed(part[:, 0] * np.uint64(0x9E3779B97F4A7C15) + mixed(part[:, 1]))


def similar(shingles: Shingles, left: Places, right: Places) -> NDArray[np.float64]:
    """Return the Jaccard similarity of each pair of texts."""
    found = np.zeros(len(left), np.float64)
    for begin in range(0, len(left), _PAIRS_AT_ONCE):
        part = slice(begin, begin + _PAIRS_AT_ONCE)
        found[part] = _similar(shingles, left[part], right[part])
    return found


def likely(signatures: Signatures, left: Places, right: Places, least: float) -> NDArray[np.bool_]:
    """Return which pairs are likely to reach this similarity, estimated from signatures: cheap and rarely wrong."""
    found = np.zeros(len(left), bool)
    for begin in range(0, len(left), _PAIRS_AT_ONCE):
        part = slice(begin, begin + _PAIRS_AT_ONCE)
        equal = (signatures[left[part]] == signatures[right[part]]).sum(axis=1)
        found[part] = equal >= (least - _SLACK) * HASHES
    return found


def _similar(shingles: Shingles, left: Places, right: Places) -> NDArray[np.float64]:
    """Count shared shingles by sorting (pair, shingle) over both sides."""
    count = len(left)
    first, first_owner = _gathered(shingles, left)
    second, second_owner = _gathered(shingles, right)
    first, first_owner = _distinct(first, first_owner)
    second, second_owner = _distinct(second, second_owner)
    owner = np.concatenate([first_owner, second_owner])
    value = np.concatenate([first, second])
    order = np.lexsort((value, owner))
    owner, value = owner[order], value[order]
    same = (owner[1:] == owner[:-1]) & (value[1:] == value[:-1])
    shared = np.bincount(owner[1:][same], minlength=count)
    total = np.bincount(owner, minlength=count)
    return shared / np.maximum(total - shared, 1)


def counted(lengths: Places) -> Places:
    """Concatenate `range(length)` for each length."""
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _gathered(shingles: Shingles, which: Places) -> tuple[Numbers, Places]:
    starts, lengths = shingles.starts[which], shingles.lengths()[which]
    owner = np.repeat(np.arange(len(which)), lengths)
    return shingles.values[np.repeat(starts, lengths) + counted(lengths)], owner


def _distinct(values: Numbers, owner: Places) -> tuple[Numbers, Places]:
    order = np.lexsort((values, owner))
    values, owner = values[order], owner[order]
    new = np.ones(len(values), bool)
    new[1:] = (owner[1:] != owner[:-1]) | (values[1:] != values[:-1])
    return values[new], owner[new]

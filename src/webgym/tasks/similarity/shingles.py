"""Texts as sets of hashed word bigrams, all in two flat arrays."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.arrow import compute
from webgym.tasks.similarity.fold import folded

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
FEWEST_WORDS = 4
"""Shorter texts have no shingles and are only compared as a whole."""


@dataclass(frozen=True, slots=True)
class Shingles:
    """The shingles of text `i` are `values[starts[i]:starts[i + 1]]`."""

    values: Numbers
    starts: Places
    figures: Numbers
    """Per text, a sum over the hashes of its words with digits: differs if the numbers differ."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lengths(self) -> Places:
        """Return the number of shingles per text; 0 if it is too short."""
        return np.diff(self.starts)


def shingles_of(texts: Any) -> Shingles:
    """Compute the shingles of a column of texts."""
    pc = compute()
    lists = pc.split_pattern(folded(texts), " ")
    if hasattr(lists, "combine_chunks"):
        lists = lists.combine_chunks()
    words = lists.flatten().dictionary_encode()
    numbers = _hashes(words.dictionary.to_pylist())
    codes = words.indices.to_numpy(zero_copy_only=False)
    counts = lists.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64)
    with_digit = pc.match_substring_regex(words.dictionary, r"\pN").to_numpy(zero_copy_only=False)
    return _paired(numbers[codes], counts, np.where(with_digit, numbers, np.uint64(0))[codes])


def _paired(words: Numbers, counts: Places, digits: Numbers) -> Shingles:
    ends = np.cumsum(counts)
    starts = np.concatenate([[0], ends]).astype(np.int64)
    figures = _sums(digits, starts)
    kept = np.where(counts >= FEWEST_WORDS, counts - 1, 0)
    with np.errstate(over="ignore"):
        pairs = mixed(words[:-1] * _MULTIPLIER + words[1:]) if len(words) else words
    # A bigram belongs to the text of its first word, unless that is the text's last word.
    owner = np.repeat(np.arange(len(counts)), counts)[:-1]
    inside = np.ones(len(pairs), bool)
    inside[ends[:-1][(ends[:-1] > 0) & (ends[:-1] <= len(pairs))] - 1] = False
    inside &= kept[owner] > 0
    return Shingles(pairs[inside], np.concatenate([[0], np.cumsum(kept)]).astype(np.int64), figures)


def mixed(numbers: Numbers) -> Numbers:
    """Mix the bits of 64-bit integers (the finalizer of splitmix64)."""
    with np.errstate(over="ignore"):
        numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return numbers ^ (numbers >> np.uint64(31))


def _sums(values: Numbers, starts: Places) -> Numbers:
    with np.errstate(over="ignore"):
        totals = np.concatenate([[np.uint64(0)], np.cumsum(values, dtype=np.uint64)])
        return totals[starts[1:]] - totals[starts[:-1]]


def _hashes(words: list[str]) -> Numbers:
    """Hash words, identically on every machine."""
    blob = b"".join(hashlib.blake2b(word.encode(), digest_size=8).digest() for word in words)
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)

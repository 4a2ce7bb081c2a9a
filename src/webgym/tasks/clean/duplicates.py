"""Exact and near-duplicate tasks, within a source and across sources.

Two tasks are duplicates only if they start on the same website, or if one of them has no website: "find the opening
hours" is a different task on every site. Tasks decomposed from one parent are never near-duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.arrow import arrow, compute
from webgym.tasks.similarity.fold import folded
from webgym.tasks.similarity.minhash import Signatures, signatures_of
from webgym.tasks.similarity.near import ComparisonScope, across, settled, survivors
from webgym.tasks.similarity.shingles import Places, Shingles, mixed, shingles_of

SIMILAR = 0.85
"""Jaccard similarity of word bigrams from which on two instructions count as near-duplicates."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """For each task of a table, the task that represents it; a task that represents itself is kept."""

    stands: Places
    similarity: NDArray[np.float64]
    exact: NDArray[np.bool_]

    def gone(self) -> Places:
        """Return the indices of the tasks to remove."""
        return np.flatnonzero(self.stands != np.arange(len(self.stands)))


def exact_duplicates(table: Any, *, any_website: bool = False) -> Places:
    """Map each task to the most complete task with the same instruction, after folding."""
    rank, sites = _rank(table), codes(table["site"])
    nowhere = _is_empty(table["site"])
    texts = codes(folded(table["instruction"]))
    anywhere = _first(texts, rank)
    if any_website:
        return anywhere
    stands = _first(texts * (sites.max(initial=0) + 1) + sites, rank)
    stands[nowhere] = anywhere[nowhere]
    return settled(stands)


def repeated_texts(table: Any) -> tuple[int, int, int]:
    """Count the instructions that repeat after folding; of these, those in several sources, and on several websites."""
    texts = codes(folded(table["instruction"]))
    return (
        int((np.bincount(texts) > 1).sum()),
        _varied(texts, codes(table["source"])),
        _varied(texts, codes(table["site"])),
    )


def find_duplicates(table: Any, similarity: float = SIMILAR, *, any_website: bool = False) -> Duplicates:
    """Find exact and near-duplicates in a table; with `any_website`, exact ones also across websites."""
    exact = exact_duplicates(table, any_website=any_website)
    left = np.flatnonzero(exact == np.arange(len(exact)))
    shingles = shingles_of(table["instruction"].take(arrow().array(left)))
    near, alike = _near(table, shingles, signatures_of(shingles), left, similarity)
    stands = exact.copy()
    stands[left] = left[near]
    values = np.ones(len(exact), np.float64)
    values[left] = alike
    return Duplicates(settled(stands), values, exact != np.arange(len(exact)))


def _near(
    table: Any, shingles: Shingles, signatures: Signatures, which: Places, least: float
) -> tuple[Places, NDArray[np.float64]]:
    """Find near-duplicates among these tasks: first within each site, then between tasks with and without a site."""
    rank, sites = _rank(table)[which], codes(table["site"])[which]
    families = _families(table)[which]
    stands, alike = survivors(
        shingles, signatures, ComparisonScope(rank, mixed(sites.astype(np.uint64)), families, least)
    )
    kept = stands == np.arange(len(stands))
    nowhere = _is_empty(table["site"])[which] & kept
    pairs = across(shingles, signatures, np.flatnonzero(kept & ~nowhere), np.flatnonzero(nowhere), least)
    same = (shingles.figures[pairs.left] == shingles.figures[pairs.right]) & (
        families[pairs.left] != families[pairs.right]
    )
    stands[pairs.right[same]], alike[pairs.right[same]] = pairs.left[same], pairs.similarity[same]
    return settled(stands), alike


def codes(column: Any) -> Places:
    """Encode each distinct value as an integer."""
    flat = column.cast("string").combine_chunks()
    encoded = flat.dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def _varied(texts: Places, others: Places) -> int:
    """Count the texts that occur with more than one value of the other column."""
    pairs = np.unique(np.stack([texts, others]), axis=1)
    return int((np.bincount(pairs[0]) > 1).sum())


def _first(keys: Places, rank: Places) -> Places:
    """Map each task to the lowest-ranked one with the same key."""
    order = np.lexsort((rank, keys))
    new = np.ones(len(order), bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    stands = np.empty(len(order), np.int64)
    stands[order] = order[new][np.cumsum(new) - 1]
    return stands


def _rank(table: Any) -> Places:
    """Rank tasks with a rubric first, then those with a website, then those with an answer, then by position."""
    pc = compute()
    known = (
        4 * _numbers(pc.greater(table["difficulty"], 0))
        + 2 * _numbers(pc.not_equal(table["website"], ""))
        + _numbers(pc.is_valid(table["answer"]))
    )
    rank = np.empty(len(known), np.int64)
    rank[np.lexsort((np.arange(len(known)), -known))] = np.arange(len(known))
    return rank


def _families(table: Any) -> Places:
    """Give a task and its subtasks the same number."""
    return codes(compute().coalesce(table["decomposed_from"], table["task_id"]))


def _is_empty(column: Any) -> NDArray[np.bool_]:
    return _numbers(compute().equal(column.cast("string"), "")).astype(bool)


def _numbers(mask: Any) -> Places:
    return mask.combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)

"""Tasks that are there more than once: the same after folding, or nearly so; within a source and across sources.

Two tasks are the same only if they start on the same website, or if nobody knows where one of them starts: "find the
opening hours" is a different task on every site. Tasks that are parts of one task are never near duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.arrow import arrow, compute
from webgym.tasks.similarity.fold import folded
from webgym.tasks.similarity.minhash import Signatures, signatures_of
from webgym.tasks.similarity.near import Compared, across, settled, survivors
from webgym.tasks.similarity.shingles import Places, Shingles, mixed, shingles_of

SIMILAR = 0.85
"""The share of pairs of words in common from which on two instructions are taken for the same."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """For each task of a table the one that stands for it; those that stand for themselves stay."""

    stands: Places
    similarity: NDArray[np.float64]
    exact: NDArray[np.bool_]

    def gone(self) -> Places:
        """The places of those that another one stands for."""
        return np.flatnonzero(self.stands != np.arange(len(self.stands)))


def exact_duplicates(table: Any, *, any_website: bool = False) -> Places:
    """For each task the one that says the same word for word, after folding: the one that is known best."""
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
    """How many texts occur more than once after folding; of these, how many in several sources, on several websites."""
    texts = codes(folded(table["instruction"]))
    return (
        int((np.bincount(texts) > 1).sum()),
        _varied(texts, codes(table["source"])),
        _varied(texts, codes(table["site"])),
    )


def find_duplicates(table: Any, similarity: float = SIMILAR, *, any_website: bool = False) -> Duplicates:
    """Exact and near duplicates of all tasks of a table; `any_website`: exact ones also on other websites."""
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
    """Among the tasks at these places: on the same site first, then those that have none."""
    rank, sites = _rank(table)[which], codes(table["site"])[which]
    families = _families(table)[which]
    stands, alike = survivors(shingles, signatures, Compared(rank, mixed(sites.astype(np.uint64)), families, least))
    kept = stands == np.arange(len(stands))
    nowhere = _is_empty(table["site"])[which] & kept
    pairs = across(shingles, signatures, np.flatnonzero(kept & ~nowhere), np.flatnonzero(nowhere), least)
    same = (shingles.figures[pairs.left] == shingles.figures[pairs.right]) & (
        families[pairs.left] != families[pairs.right]
    )
    stands[pairs.right[same]], alike[pairs.right[same]] = pairs.left[same], pairs.similarity[same]
    return settled(stands), alike


def codes(column: Any) -> Places:
    """A number for each distinct value."""
    flat = column.cast("string").combine_chunks()
    encoded = flat.dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def _varied(texts: Places, others: Places) -> int:
    """How many texts occur with more than one value of the other column."""
    pairs = np.unique(np.stack([texts, others]), axis=1)
    return int((np.bincount(pairs[0]) > 1).sum())


def _first(keys: Places, rank: Places) -> Places:
    """For each task the one of lowest rank with the same key."""
    order = np.lexsort((rank, keys))
    new = np.ones(len(order), bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    stands = np.empty(len(order), np.int64)
    stands[order] = order[new][np.cumsum(new) - 1]
    return stands


def _rank(table: Any) -> Places:
    """Tasks with a rubric come before those without, then those with a website, with an answer, and in order."""
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
    """Tasks and their parts have the same number."""
    return codes(compute().coalesce(table["decomposed_from"], table["task_id"]))


def _is_empty(column: Any) -> NDArray[np.bool_]:
    return _numbers(compute().equal(column.cast("string"), "")).astype(bool)


def _numbers(mask: Any) -> Places:
    return mask.combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)

"""What a task can be recognised by: its website, the websites it names, its text, its parent task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.arrow import arrow, compute
from webgym.tasks.clean.duplicates import codes
from webgym.tasks.similarity.fold import folded
from webgym.tasks.similarity.minhash import signatures_of
from webgym.tasks.similarity.near import Pairs, across
from webgym.tasks.similarity.shingles import Places, shingles_of
from webgym.tasks.split.aliases import owner_of, owners_named

SIMILAR = 0.8
"""Similarity of word bigrams from which on a training task leaks a test task."""


@dataclass(frozen=True, slots=True)
class Websites:
    """The owner of each task's website as a number, and the names of owners."""

    owner: Places
    names: list[str]
    nowhere: int
    """The number that stands for no website; -1 if every task has one."""


def websites_of(table: Any) -> Websites:
    """Determine the owner of each task's website."""
    sites = table["site"].combine_chunks().dictionary_encode()
    owners = [owner_of(site) for site in sites.dictionary.to_pylist()]
    names = sorted(set(owners))
    number = {name: place for place, name in enumerate(names)}
    of_site = np.array([number[owner] for owner in owners], np.int64)
    return Websites(of_site[sites.indices.to_numpy(zero_copy_only=False)], names, number.get("", -1))


def naming(table: Any, places: Places, owners: set[str]) -> list[tuple[int, str]]:
    """Return which of these tasks name a website of one of these owners, and the owner."""
    texts = table["instruction"].take(arrow().array(places))
    dotted = compute().match_substring_regex(texts, r"[\pL\pN]\.\pL{2}").combine_chunks()
    some = np.flatnonzero(dotted.to_numpy(zero_copy_only=False))
    found: list[tuple[int, str]] = []
    for place, text in zip(places[some].tolist(), texts.take(arrow().array(some)).to_pylist(), strict=True):
        named = owners_named(text) & owners
        if named:
            found.append((int(place), min(named)))
    return found


def same_text(table: Any, ours: Places, theirs: Places) -> Pairs:
    """Return every pair of duplicates and near-duplicates between both sides, each once."""
    chosen = np.concatenate([ours, theirs])
    texts = table["instruction"].take(arrow().array(chosen))
    shingles = shingles_of(texts)
    first, second = np.arange(len(ours)), np.arange(len(ours), len(chosen))
    near = across(shingles, signatures_of(shingles), first, second, SIMILAR)
    left, right = _equal(codes(folded(texts)), first, second)
    pairs, at = np.unique(
        np.stack([np.concatenate([near.left, left]), np.concatenate([near.right, right])]), axis=1, return_index=True
    )
    alike = np.concatenate([near.similarity, np.ones(len(left))])[at]
    return Pairs(chosen[pairs[0]], chosen[pairs[1]], alike)


def families_of(table: Any) -> Places:
    """Give a task and its subtasks the same number."""
    return codes(compute().coalesce(table["decomposed_from"], table["task_id"]))


def _equal(texts: Places, first: Places, second: Places) -> tuple[Places, Places]:
    order = first[np.argsort(texts[first], kind="stable")]
    low = np.searchsorted(texts[order], texts[second], "left")
    found: NDArray[np.bool_] = low < np.searchsorted(texts[order], texts[second], "right")
    return order[low[found]], second[found]

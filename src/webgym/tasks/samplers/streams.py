"""Endless seeded sequences of tasks, from which workers read disjoint positions."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from webgym.tasks.similarity.shingles import Places


class Stream(Protocol):
    """An endless sequence with random access."""

    cycle: int
    """Number of elements after which every task, or every website, has had its turn."""

    def at(self, positions: Places) -> Places:
        """Return the elements at these positions."""
        ...


class Uniform:
    """All tasks in random order, then all again in another order."""

    def __init__(self, members: Places, seed: tuple[int, ...]) -> None:
        self._members, self._seed = members, seed
        self._known: tuple[int, Places] | None = None
        self.cycle = len(members)

    def at(self, positions: Places) -> Places:
        rounds, places = np.divmod(positions, self.cycle)
        found = np.empty(len(positions), np.int64)
        for number in np.unique(rounds):
            mask = rounds == number
            found[mask] = self._order(int(number))[places[mask]]
        return found

    def _order(self, number: int) -> Places:
        if self._known is None or self._known[0] != number:
            rng = np.random.default_rng((*self._seed, number))
            self._known = (number, self._members[rng.permutation(self.cycle)])
        return self._known[1]


class BalancedStream:
    """One task of each website in random order, then the next of each; small websites start over."""

    def __init__(self, site: Places, seed: tuple[int, ...]) -> None:
        rng = np.random.default_rng((*seed, 2**32 - 1))
        _, numbers = np.unique(site, return_inverse=True)
        self._by_site = np.lexsort((rng.permutation(len(site)), numbers))
        self._sizes = np.bincount(numbers)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._sites = Uniform(np.arange(len(self._sizes), dtype=np.int64), seed)
        self.cycle = len(self._sizes)

    def at(self, positions: Places) -> Places:
        sites = self._sites.at(positions)
        rounds = positions // self.cycle
        return self._by_site[self._starts[sites] + rounds % self._sizes[sites]]

"""Deterministic randomness, identical across machines and Python versions."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """A seeded stream of random choices.

    Built on `random.Random.random` alone: the only method whose sequence Python guarantees across versions.
    """

    def __init__(self, *seed: object) -> None:
        self._seed = "/".join(str(part) for part in seed)
        digest = hashlib.blake2b(self._seed.encode(), digest_size=8).digest()
        self._random = random.Random(int.from_bytes(digest, "big")).random  # noqa: S311  not a secret

    def fork(self, *name: object) -> Rng:
        """Return an independent stream that does not depend on how much of this one was consumed."""
        return Rng(self._seed, *name)

    def unit(self) -> float:
        """Return a float in [0, 1)."""
        return self._random()

    def below(self, limit: int) -> int:
        """Return an integer in [0, limit)."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """Return an integer in [low, high]."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[tuple[T, float]]) -> T:
        """Pick an option with probability proportional to its weight."""
        left = self._random() * sum(weight for _, weight in options)
        for option, weight in options:
            left -= weight
            if left < 0:
                return option
        return options[-1][0]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        mixed = list(items)
        for index in range(len(mixed) - 1, 0, -1):
            other = self.below(index + 1)
            mixed[index], mixed[other] = mixed[other], mixed[index]
        return mixed

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` distinct items in random order, or all of them if there are fewer."""
        return self.shuffled(items)[:count]

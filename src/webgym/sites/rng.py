"""Randomness that is the same on every machine and in every Python."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """A stream of random choices named by a seed.

    Built on `random.Random.random` alone: the one method whose sequence Python promises to keep.
    """

    def __init__(self, *seed: object) -> None:
        self._seed = "/".join(str(part) for part in seed)
        digest = hashlib.blake2b(self._seed.encode(), digest_size=8).digest()
        self._random = random.Random(int.from_bytes(digest, "big")).random  # noqa: S311  not a secret

    def fork(self, *name: object) -> Rng:
        """An independent stream, however much of this one was used."""
        return Rng(self._seed, *name)

    def unit(self) -> float:
        """From [0, 1)."""
        return self._random()

    def below(self, limit: int) -> int:
        """From 0 up to, not including, `limit`."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[tuple[T, float]]) -> T:
        """One of the options, as likely as its weight."""
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
        """`count` different items, or all of them if there are fewer."""
        return self.shuffled(items)[:count]

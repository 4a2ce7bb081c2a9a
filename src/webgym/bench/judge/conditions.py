"""What is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webgym.sites.rng import Rng


@dataclass(frozen=True, slots=True)
class Conditions:
    """How many attempts of what size, and how well the model sees."""

    attempts: int = 120
    mean_steps: float = 9.9
    """Screenshots of an attempt; the published runs have 7.8 for easy tasks, 9.9 for medium and 11.9 for hard ones."""
    shortest: int = 2
    longest: int = 30
    easy: float = 0.8
    """Share of tasks with 1 to 3 facts; of the others two thirds have 4 to 6, one third 7 to 9."""
    false_positive: float = 0.02
    """Chance that the model says of a fact that does not hold that it does; likewise the next."""
    false_negative: float = 0.02
    full_size: bool = True
    """Screenshots of 1280 x 768; else tiny ones, which say nothing about bytes."""
    concurrency: int = 16
    seed: int = 0

    @property
    def pages(self) -> Callable[[Rng], int]:
        """Draws a number of screenshots: geometric beyond the shortest, as lengths of attempts are."""
        stop = 1 / max(1.0, self.mean_steps - self.shortest + 1)

        def drawn(rng: Rng) -> int:
            count = self.shortest
            while count < self.longest and not rng.chance(stop):
                count += 1
            return count

        return drawn

    @property
    def facts(self) -> Callable[[Rng], int]:
        """Draws a number of facts."""

        def drawn(rng: Rng) -> int:
            if rng.chance(self.easy):
                return rng.between(1, 3)
            return rng.between(4, 6) if rng.chance(2 / 3) else rng.between(7, 9)

        return drawn

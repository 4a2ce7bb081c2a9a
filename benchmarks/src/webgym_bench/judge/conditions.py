"""The conditions both judges are compared under."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webgym.rng import Rng


@dataclass(frozen=True, slots=True)
class Conditions:
    """The number and size of the attempts, and the error rates of the model."""

    attempts: int = 120
    mean_steps: float = 9.9
    """Mean screenshots per attempt. Published runs have 7.8 (easy), 9.9 (medium) and 11.9 (hard)."""
    shortest: int = 2
    longest: int = 30
    easy: float = 0.8
    """Share of tasks with 1 to 3 facts. Of the rest, two thirds have 4 to 6 and one third 7 to 9."""
    false_positive: float = 0.02
    """Probability that the model affirms a fact that does not hold; `false_negative` is the reverse."""
    false_negative: float = 0.02
    full_size: bool = True
    """Whether screenshots are 1280 x 768. Tiny ones say nothing about bytes sent."""
    concurrency: int = 16
    seed: int = 0

    @property
    def pages(self) -> Callable[[Rng], int]:
        """A sampler of the number of screenshots: geometric above the minimum, like real attempt lengths."""
        stop = 1 / max(1.0, self.mean_steps - self.shortest + 1)

        def drawn(rng: Rng) -> int:
            count = self.shortest
            while count < self.longest and not rng.chance(stop):
                count += 1
            return count

        return drawn

    @property
    def facts(self) -> Callable[[Rng], int]:
        """A sampler of the number of facts."""

        def drawn(rng: Rng) -> int:
            if rng.chance(self.easy):
                return rng.between(1, 3)
            return rng.between(4, 6) if rng.chance(2 / 3) else rng.between(7, 9)

        return drawn

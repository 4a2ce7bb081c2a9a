"""The permutation of the control with shuffled rewards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from webgym.rng import Rng

T = TypeVar("T")


def shuffled(values: Sequence[T | None], seed: int, name: str) -> list[T | None]:
    """Permute the values of a group that are not None; None stays in its place."""
    places = [place for place, value in enumerate(values) if value is not None]
    found = list(values)
    for place, value in zip(
        places, Rng("shuffled", seed, name).shuffled([values[place] for place in places]), strict=True
    ):
        found[place] = value
    return found

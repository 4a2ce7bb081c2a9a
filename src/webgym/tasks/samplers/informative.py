"""How much an attempt at a task would teach: most where success is neither sure nor out of reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
PRIOR = 2.0
"""How many attempts the guess from other tasks of the same level weighs."""


def chance_of_contrast(successes: Values, failures: Values, guess: Values, group: int) -> Values:
    """The chance that a group of attempts has both successes and failures, without which it teaches nothing.

    Success of a task is taken for Beta-distributed: its own attempts, and a guess that weighs as much as `PRIOR`.
    """
    won = successes + PRIOR * guess
    lost = failures + PRIOR * (1 - guess)
    all_won, all_lost = np.ones_like(won), np.ones_like(won)
    # A single attempt contrasts with nothing; what the next one would add is still most where two of them differ.
    for number in range(max(group, 2)):
        all_won *= (won + number) / (won + lost + number)
        all_lost *= (lost + number) / (won + lost + number)
    return np.clip(1 - all_won - all_lost, 0, 1)


def guesses(successes: Values, failures: Values, kinds: NDArray[np.int64]) -> Values:
    """What to expect of a task of each kind that was never tried: how its kind went so far, at first one half."""
    won = np.bincount(kinds, successes) + 1
    lost = np.bincount(kinds, failures) + 1
    return np.clip(won / (won + lost), 0.05, 0.95)


def weights_of(successes: Values, failures: Values, kinds: NDArray[np.int64], group: int) -> Values:
    """How much each task would teach. Tasks that were never tried are all alike within their kind."""
    guess = guesses(successes, failures, kinds)
    none = np.zeros(len(guess))
    weights = chance_of_contrast(none, none, guess, group)[kinds]
    tried = np.flatnonzero(successes + failures)
    weights[tried] = chance_of_contrast(successes[tried], failures[tried], guess[kinds[tried]], group)
    return weights

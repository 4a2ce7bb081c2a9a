"""How informative an attempt at a task would be: most where success is uncertain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
PRIOR = 2.0
"""Weight of the prior from other tasks of the same level, in attempts."""


def chance_of_contrast(successes: Values, failures: Values, guess: Values, group: int) -> Values:
    """Return the chance that a group has both successes and failures; without both, it carries no learning signal.

    The success rate of a task is Beta-distributed, with its own attempts and a prior of weight `PRIOR` around `guess`.
    """
    won = successes + PRIOR * guess
    lost = failures + PRIOR * (1 - guess)
    all_won, all_lost = np.ones_like(won), np.ones_like(won)
    # A single attempt has no contrast; it is still most informative where two attempts would likely differ.
    for number in range(max(group, 2)):
        all_won *= (won + number) / (won + lost + number)
        all_lost *= (lost + number) / (won + lost + number)
    return np.clip(1 - all_won - all_lost, 0, 1)


def guesses(successes: Values, failures: Values, kinds: NDArray[np.int64]) -> Values:
    """Return the prior success rate of each kind: that of its attempts so far, initially one half."""
    won = np.bincount(kinds, successes) + 1
    lost = np.bincount(kinds, failures) + 1
    return np.clip(won / (won + lost), 0.05, 0.95)


def weights_of(successes: Values, failures: Values, kinds: NDArray[np.int64], group: int) -> Values:
    """Return how informative each task is. Untried tasks of one kind have equal weights."""
    guess = guesses(successes, failures, kinds)
    none = np.zeros(len(guess))
    weights = chance_of_contrast(none, none, guess, group)[kinds]
    tried = np.flatnonzero(successes + failures)
    weights[tried] = chance_of_contrast(successes[tried], failures[tried], guess[kinds[tried]], group)
    return weights

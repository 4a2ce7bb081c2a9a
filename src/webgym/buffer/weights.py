"""Aggregation weights of steps, computed over a whole batch before it is split into micro-batches."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.errors import ConfigError
from webgym.records.sample import Aggregation

CONSTANT = 10.0
"""Default k of `constant`: the horizon of easy tasks."""

Lengths = Sequence[Sequence[int]]
"""Numbers of sampled tokens, by attempt and step."""


def step_weights(lengths: Lengths, aggregation: Aggregation, k: float = CONSTANT) -> tuple[tuple[float, ...], ...]:
    """Return the weight of each token of each step, to be multiplied by the advantage of its attempt.

    For N attempts, where attempt i has T_i steps and its step j has L_ij tokens:

        per_trajectory  1 / (N T_i)
        constant        1 / (N k)
        token_mean      1 / sum of all L_ij
        step_mean       1 / (L_ij sum of all T_i)
    """
    if not k > 0 or not math.isfinite(k):
        raise ConfigError(f"k must be a number above 0, not {k}")
    attempts, steps = len(lengths), sum(len(attempt) for attempt in lengths)
    tokens = sum(sum(attempt) for attempt in lengths)

    def weight(of_attempt: int, of_step: int) -> float:
        match aggregation:
            case "per_trajectory":
                return 1 / (attempts * of_attempt)
            case "constant":
                return 1 / (attempts * k)
            case "token_mean":
                return 1 / tokens
            case "step_mean":
                return 1 / (of_step * steps)

    return tuple(tuple(weight(len(attempt), length) for length in attempt) for attempt in lengths)

"""How far a sampler's logprobs are from a trainer's, for the same tokens and weights."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.records.base import Record


class Agreement(Record, frozen=True, omit_defaults=False):
    """Over all sampled tokens; d is the trainer's logprob minus the sampler's."""

    tokens: int
    mean: float
    """Of |d|."""
    p99: float
    most: float
    bias: float
    """Mean of d: other than 0 if one of them is systematically surer."""
    kl: float
    """Mean of e^d - 1 - d, which estimates the divergence: what training reports as `kl_mismatch`."""
    ratio_low: float
    ratio_high: float
    """Smallest and largest e^d: what an importance weight would be although nothing was learned."""


def agreement(sampler: Sequence[float], trainer: Sequence[float]) -> Agreement:
    """Between logprobs of the same tokens.

    Raises:
        ValueError: There are none, or not as many of one as of the other.
    """
    if not sampler:
        raise ValueError("no tokens to compare")
    differences = [theirs - ours for ours, theirs in zip(sampler, trainer, strict=True)]
    count = len(differences)
    sizes = sorted(map(abs, differences))
    return Agreement(
        tokens=count,
        mean=sum(sizes) / count,
        p99=sizes[min(count - 1, math.ceil(0.99 * count) - 1)],
        most=sizes[-1],
        bias=sum(differences) / count,
        kl=sum(math.expm1(one) - one for one in differences) / count,
        ratio_low=math.exp(min(differences)),
        ratio_high=math.exp(max(differences)),
    )

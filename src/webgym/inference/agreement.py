"""Mismatch between a sampler's and a trainer's logprobs, for the same tokens and weights."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webgym.records.base import Record


class LogprobAgreement(Record, frozen=True, omit_defaults=False):
    """Statistics over all sampled tokens of d, the trainer's logprob minus the sampler's."""

    tokens: int
    mean: float
    """Mean of |d|; `p99` and `most` are its 99th percentile and maximum."""
    p99: float
    most: float
    bias: float
    """Mean of d: not 0 if one of them is systematically more confident."""
    kl: float
    """Mean of e^d - 1 - d, the k3 estimate of the KL divergence: what training reports as `kl_mismatch`."""
    ratio_low: float
    ratio_high: float
    """`ratio_low` and this: smallest and largest e^d, the importance weights caused by the mismatch alone."""


def agreement(sampler: Sequence[float], trainer: Sequence[float]) -> LogprobAgreement:
    """Compare the logprobs of the same tokens.

    Raises:
        ValueError: There are none, or their numbers differ.
    """
    if not sampler:
        raise ValueError("no tokens to compare")
    differences = [theirs - ours for ours, theirs in zip(sampler, trainer, strict=True)]
    count = len(differences)
    sizes = sorted(map(abs, differences))
    return LogprobAgreement(
        tokens=count,
        mean=sum(sizes) / count,
        p99=sizes[min(count - 1, math.ceil(0.99 * count) - 1)],
        most=sizes[-1],
        bias=sum(differences) / count,
        kl=sum(math.expm1(difference) - difference for difference in differences) / count,
        ratio_low=math.exp(min(differences)),
        ratio_high=math.exp(max(differences)),
    )

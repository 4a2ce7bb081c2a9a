"""Signal against noise, from gradients of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from webgym.records.base import Record

FEWEST = 3
"""Groups, below which nothing can be left out to see how much that changes."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Gradients of one group: of what its better attempts did, and of what its worse ones did."""

    better: Tensor
    worse: Tensor
    success: float
    """Share of its attempts."""

    def advantage(self, negative: float) -> Tensor:
        """The gradient of GRPO, in which worse attempts count as much as this of better ones."""
        spread = (self.success * (1 - self.success)) ** 0.5
        return ((1 - self.success) * self.better - negative * self.success * self.worse) / spread


class Signal(Record, frozen=True, omit_defaults=False):
    """Of one way of weighing tokens."""

    damping: float
    negative: float
    share: float
    """Of the squared length of one group's gradient, what groups have in common: products of different groups, on
    average, over those of groups with themselves. So many times more of it is worth so many times more groups."""
    error: float
    """Standard error, by leaving out one group after the other."""


def common_share(gradients: Tensor) -> tuple[float, float]:
    """What rows of gradients have in common, as a share of their squared length; with its standard error."""
    count = len(gradients)
    products = gradients @ gradients.t()
    total, own = products.sum(), products.diagonal().sum()
    without = total - 2 * products.sum(1) + products.diagonal()
    own_without = own - products.diagonal()
    shares = torch.stack([_share(_Sums(*one), count - 1) for one in zip(without, own_without, strict=True)])
    spread = ((count - 1) / count * ((shares - shares.mean()) ** 2).sum()).sqrt()
    return float(_share(_Sums(total, own), count)), float(spread)


class _Sums(NamedTuple):
    """Over all pairs of gradients, and of each with itself."""

    total: Tensor
    own: Tensor


def _share(sums: _Sums, count: int) -> Tensor:
    return (sums.total - sums.own) / (count * (count - 1)) / (sums.own / count)

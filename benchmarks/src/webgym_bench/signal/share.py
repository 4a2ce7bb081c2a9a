"""Signal-to-noise estimates from the gradients of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from webgym.records.base import Record

FEWEST = 3
"""Fewest groups for which the jackknife is defined."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """The gradients of one group: of its successful attempts, and of its failed ones."""

    better: Tensor
    worse: Tensor
    success: float
    """Share of the group's attempts that succeeded."""

    def advantage(self, negative: float) -> Tensor:
        """Return the GRPO gradient, with failed attempts weighted by `negative`."""
        spread = (self.success * (1 - self.success)) ** 0.5
        return ((1 - self.success) * self.better - negative * self.success * self.worse) / spread


class Signal(Record, frozen=True, omit_defaults=False):
    """The signal share under one weighting of tokens."""

    damping: float
    negative: float
    share: float
    """Share of a group's squared gradient norm that groups have in common: the mean inner product of different groups
    over the mean squared norm. A share k times as large is worth k times as many groups."""
    error: float
    """Jackknife standard error over groups."""


def common_share(gradients: Tensor) -> tuple[float, float]:
    """Return the share of their squared norm that the rows have in common, and its standard error."""
    count = len(gradients)
    products = gradients @ gradients.t()
    total, own = products.sum(), products.diagonal().sum()
    without = total - 2 * products.sum(1) + products.diagonal()
    own_without = own - products.diagonal()
    shares = torch.stack([_share(_Sums(*one), count - 1) for one in zip(without, own_without, strict=True)])
    spread = ((count - 1) / count * ((shares - shares.mean()) ** 2).sum()).sqrt()
    return float(_share(_Sums(total, own), count)), float(spread)


class _Sums(NamedTuple):
    """Sums of inner products: over all pairs, and of each gradient with itself."""

    total: Tensor
    own: Tensor


def _share(sums: _Sums, count: int) -> Tensor:
    return (sums.total - sums.own) / (count * (count - 1)) / (sums.own / count)

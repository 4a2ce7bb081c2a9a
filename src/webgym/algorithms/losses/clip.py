"""The clipped objective of a ratio, of tokens or of rows."""

from __future__ import annotations

import torch
from torch import Tensor


def bounds(clip_low: float | None, clip_high: float | None) -> tuple[float, float]:
    """Return the least and the greatest ratio."""
    return (0.0 if clip_low is None else 1 - clip_low), (float("inf") if clip_high is None else 1 + clip_high)


def clipped_objective(weights: Tensor, ratio: Tensor, low: float, high: float) -> Tensor:
    """Return the lesser of the weighted ratio and the weighted, clipped ratio."""
    return torch.minimum(weights * ratio, weights * ratio.clamp(low, high))


def is_clipped(weights: Tensor, ratio: Tensor, low: float, high: float) -> Tensor:
    """Return where the clip stops the gradient. A weight that was scaled to 0 keeps its sign."""
    return torch.where(weights.signbit(), ratio < low, ratio > high)

"""PPO: the clipped ratio of each token."""

from __future__ import annotations

import torch

from webgym.algorithms.losses.clip import bounds, clipped_objective, is_clipped
from webgym.algorithms.losses.tokens import LossTokens, TokenLoss


def ppo(
    tokens: LossTokens,
    *,
    clip_low: float | None = 0.2,
    clip_high: float | None = 0.2,
    dual_clip: float | None = None,
) -> TokenLoss:
    """Return -min(r W, clip(r) W), and no more than `dual_clip` |W| where W is below 0."""
    low, high = bounds(clip_low, clip_high)
    weights, ratio = tokens.weights, tokens.log_ratio().exp()
    objective = clipped_objective(weights, ratio, low, high)
    if dual_clip is not None:
        least = torch.where(weights < 0, dual_clip * weights, -torch.inf)
        objective = torch.maximum(objective, least)
    told = ratio.detach()
    dual = weights.signbit() & (told > (dual_clip or torch.inf))
    return TokenLoss(-objective, told, is_clipped(weights, told, low, high), dual)

"""CISPO: the policy gradient, each token weighted by its clipped ratio, so that no token loses its gradient."""

from __future__ import annotations

from webgym.algorithms.losses.clip import bounds
from webgym.algorithms.losses.tokens import LossTokens, TokenLoss


def cispo(tokens: LossTokens, *, clip_low: float | None = None, clip_high: float | None = 4.0) -> TokenLoss:
    """Return -clip(r) W log π, where the clipped ratio gets no gradient."""
    ratio = tokens.log_ratio().exp().detach()
    return TokenLoss(-(tokens.weights * ratio.clamp(*bounds(clip_low, clip_high)) * tokens.logprobs()), ratio)

"""GSPO: one ratio for each row, the geometric mean of those of its tokens, clipped as a whole."""

from __future__ import annotations

from webgym.algorithms.losses.clip import bounds, clipped_objective, is_clipped
from webgym.algorithms.losses.rows import by_row
from webgym.algorithms.losses.tokens import LossTokens, TokenLoss, given


def gspo(tokens: LossTokens, *, clip_low: float | None = 3e-4, clip_high: float | None = 4e-4) -> TokenLoss:
    """Return -min(s W, clip(s) W) with s the ratio of the token's row.

    With `step_mean`, the weights of a row's tokens add up to what the row weighs, which gives the published loss.
    """
    low, high = bounds(clip_low, clip_high)
    weights, rows = tokens.weights, given(tokens.rows, "rows")
    ratio = by_row(tokens.log_ratio(), tokens.live, rows, mean=True).exp()
    told = ratio.detach()
    return TokenLoss(-clipped_objective(weights, ratio, low, high), told, is_clipped(weights, told, low, high))

"""The plain policy gradient; with advantage 1, supervised learning."""

from __future__ import annotations

from webgym.algorithms.losses.tokens import LossTokens, TokenLoss


def logprob(tokens: LossTokens) -> TokenLoss:
    """Return -W log π."""
    return TokenLoss(-(tokens.weights * tokens.logprobs()))

"""Importance weights: how much more probable a token was to the trainer than to whoever sampled it."""

from __future__ import annotations

import torch
from torch import Tensor

from webgym.algorithms.losses.rows import by_row
from webgym.algorithms.losses.tokens import MOST_LOG_RATIO, LossTokens, given, wide
from webgym.algorithms.settings import Correction


def importance(tokens: LossTokens, correction: Correction, live: Tensor) -> Tensor:
    """Return the importance ratio, proximal over behaviour, of each token or its row; 1 without correction."""
    if correction.use == "off":
        return torch.ones_like(tokens.weights)
    proximal, behaviour = given(tokens.proximal, "proximal"), given(tokens.behaviour, "behaviour")
    difference = torch.where(live, wide(proximal) - wide(behaviour), 0.0).detach()
    if correction.level != "token":
        difference = by_row(difference, live, given(tokens.rows, "rows"), mean=correction.level == "geometric")
    return difference.clamp(-MOST_LOG_RATIO, MOST_LOG_RATIO).exp()


def bounded(raw: Tensor, correction: Correction) -> tuple[Tensor, Tensor]:
    """Return the importance weights to use, and which of them were masked or clamped."""
    outside = (raw < correction.low) | (raw > correction.high)
    match correction.use:
        case "off" | "full":
            return raw, torch.zeros_like(outside)
        case "clamp":
            return raw.clamp(correction.low, correction.high), outside
        case "mask":
            return torch.where(outside, 0.0, raw), outside

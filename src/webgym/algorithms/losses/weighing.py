"""Changes to the weights of tokens that go with every loss."""

from __future__ import annotations

import torch
from torch import Tensor

from webgym.algorithms.losses.tokens import wide
from webgym.algorithms.settings import LossSettings


def weighed(weights: Tensor, logprobs: Tensor, settings: LossSettings, live: Tensor) -> Tensor:
    """Scale down weights of improbable tokens (`damping`) and negative weights (`negative`). No gradient."""
    if settings.damping:
        probability = torch.where(live, wide(logprobs.detach()), 0.0).exp()
        weights = weights * (1 - settings.damping * (1 - probability))
    return weights if settings.negative == 1 else torch.where(weights < 0, settings.negative * weights, weights)

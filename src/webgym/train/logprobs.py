"""Token log probabilities, computed in chunks so that the full logits are never in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from webgym.train.mixed_precision import wide_product
from webgym.train.typed import differentiated

CHUNK = 1024
"""Tokens whose logits are in memory at once: 0.6 GB in float32 for a vocabulary of 152k."""


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """A model's outputs for the target tokens, in float32."""

    logprobs: Tensor
    entropy: Tensor
    """Entropy of the distribution that each token is drawn from; no gradient."""


def speak(hidden: Tensor, weight: Tensor, targets: Tensor, temperatures: Tensor, chunk: int = CHUNK) -> TokenLogprobs:
    """Return logprob and entropy of each target under softmax(hidden @ weight.T / temperature)."""
    return TokenLogprobs(*differentiated(_ChunkedLogprobs, hidden, weight, targets, temperatures, chunk))


class _ChunkedLogprobs(torch.autograd.Function):
    """Recomputes logits in the backward pass, chunk by chunk."""

    @staticmethod
    def forward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, temperatures: Tensor, chunk: int
    ) -> tuple[Tensor, Tensor]:
        narrow = weight.to(hidden.dtype)
        found = torch.empty(len(targets), dtype=torch.float32, device=hidden.device)
        norms, entropy = torch.empty_like(found), torch.empty_like(found)
        for start in range(0, len(targets), chunk):
            part = slice(start, start + chunk)
            logits = _logits(hidden[part], narrow, temperatures[part])
            norms[part] = logits.logsumexp(-1)
            found[part] = logits.gather(-1, targets[part, None]).squeeze(-1) - norms[part]
            logits -= norms[part, None]
            entropy[part] = -(logits.exp() * logits).sum(-1)
        ctx.save_for_backward(hidden, weight, targets, temperatures, norms)
        ctx.mark_non_differentiable(entropy)
        ctx.chunk = chunk
        return found, entropy

    @staticmethod
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, grad: Tensor, _: Tensor
    ) -> tuple[Tensor, Tensor | None, None, None, None]:
        hidden, weight, targets, temperatures, norms = ctx.saved_tensors
        narrow = weight.to(hidden.dtype)
        to_hidden = torch.empty_like(hidden)
        to_weight: Tensor | None = None
        for start in range(0, len(targets), ctx.chunk):
            part = slice(start, start + ctx.chunk)
            slope = _logits(hidden[part], narrow, temperatures[part]).sub_(norms[part, None]).exp_().neg_()
            slope.scatter_add_(-1, targets[part, None], torch.ones_like(targets[part, None], dtype=slope.dtype))
            slope = slope.mul_((grad[part] / temperatures[part])[:, None]).to(hidden.dtype)
            to_hidden[part] = slope @ narrow
            if ctx.needs_input_grad[1]:
                of_part = wide_product(slope.t(), hidden[part])
                to_weight = of_part if to_weight is None else to_weight.add_(of_part)
        return to_hidden, None if to_weight is None else to_weight.to(weight.dtype), None, None, None


def _logits(hidden: Tensor, weight: Tensor, temperatures: Tensor) -> Tensor:
    return (hidden @ weight.t()).float().div_(temperatures[:, None])

"""Layers that compute in the dtype of their input: weights may be float32 while matmuls run in bfloat16."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from webgym.train.mixed_precision import product, products, shifted
from webgym.train.typed import differentiated


class Linear(nn.Module):
    """A linear layer that computes in the dtype of its input, whatever the dtype of its weights."""

    def __init__(self, inputs: int, outputs: int, *, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.empty(outputs)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


class RMSNorm(nn.Module):
    """RMS normalization in the dtype of its input."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, self.weight.shape, self.weight.to(x.dtype), self.epsilon)


class LayerNorm(nn.Module):
    """Layer normalization in the dtype of its input."""

    def __init__(self, width: int, epsilon: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight.to(x.dtype), self.bias.to(x.dtype)
        return functional.layer_norm(x, weight.shape, weight, bias, self.epsilon)


class Embedding(nn.Module):
    """Embedding lookup; the result has the dtype of the weights."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, width))

    def forward(self, ids: Tensor) -> Tensor:
        return functional.embedding(ids, self.weight)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return `x @ weight.T + bias`, computed in the dtype of `x`."""
    if weight.dtype == x.dtype:
        return functional.linear(x, weight, bias)
    found = product(x, weight)
    return found if bias is None else shifted(found, bias)


def together(x: Tensor, *layers: Linear) -> tuple[Tensor, ...]:
    """Apply each layer to `x`: in one matmul if all are bias-free `Linear`s with weights of another dtype."""
    joint = all(type(layer) is Linear and layer.bias is None and layer.weight.dtype != x.dtype for layer in layers)
    return products(x, [layer.weight for layer in layers]) if joint else tuple(layer(x) for layer in layers)


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Apply rotary embeddings to (tokens, heads, head_dim), with angles of (tokens, head_dim / 2)."""
    return differentiated(_Rotate, x, cosine, sine)


class _Rotate(torch.autograd.Function):
    """Saves none of its input: the backward pass is the inverse rotation."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx.save_for_backward(cosine, sine)
        return _turned(x, cosine, sine)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:  # pyright: ignore[reportIncompatibleMethodOverride]
        cosine, sine = ctx.saved_tensors
        return _turned(grad, cosine, -sine), None, None


def _turned(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    cosine, sine = cosine[:, None], sine[:, None]
    first, second = x.chunk(2, dim=-1)
    halves = (first * cosine - second * sine, second * cosine + first * sine)
    return torch.cat(halves, dim=-1).to(x.dtype)

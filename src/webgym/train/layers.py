"""Layers whose weights may be wider than what they compute in: float32 weights, bfloat16 products."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from webgym.train.mixed_precision import product, products, shifted
from webgym.train.typed import differentiated


class Linear(nn.Module):
    """A matrix product in the width of its input, whatever the weights are kept in."""

    def __init__(self, inputs: int, outputs: int, *, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.empty(outputs)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


class RMSNorm(nn.Module):
    """Scaled to a root mean square of one."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, self.weight.shape, self.weight.to(x.dtype), self.epsilon)


class LayerNorm(nn.Module):
    """Scaled to a mean of zero and a variance of one."""

    def __init__(self, width: int, epsilon: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight.to(x.dtype), self.bias.to(x.dtype)
        return functional.layer_norm(x, weight.shape, weight, bias, self.epsilon)


class Embedding(nn.Module):
    """Rows by number."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, width))

    def forward(self, ids: Tensor) -> Tensor:
        return functional.embedding(ids, self.weight)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """`x` times `weight`, computed in the width of `x`."""
    if weight.dtype == x.dtype:
        return functional.linear(x, weight, bias)
    found = product(x, weight)
    return found if bias is None else shifted(found, bias)


def together(x: Tensor, *layers: Linear) -> tuple[Tensor, ...]:
    """What each of these layers makes of `x`: in one product, if all of them are nothing but a wide matrix."""
    joint = all(type(layer) is Linear and layer.bias is None and layer.weight.dtype != x.dtype for layer in layers)
    return products(x, [layer.weight for layer in layers]) if joint else tuple(layer(x) for layer in layers)


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions: tokens by heads by width, by angles of tokens by half that width."""
    return differentiated(_Rotate, x, cosine, sine)


class _Rotate(torch.autograd.Function):
    """Keeps nothing of its input: the way back is a turn the other way."""

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

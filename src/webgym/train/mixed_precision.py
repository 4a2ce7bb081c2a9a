"""Mixed-precision matmuls: low-precision activations, weights and weight gradients in higher precision.

Custom operators, which torch.compile cannot look into: it would save the bfloat16 copy of every weight from the
forward pass for the backward pass, as much memory as a whole bfloat16 model.
"""

# pyright: reportUnknownMemberType=false, reportUntypedFunctionDecorator=false, reportFunctionMemberAccess=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from webgym.train.typed import differentiated, split


def product(x: Tensor, weight: Tensor) -> Tensor:
    """Return `x @ weight.T` in the dtype of `x`; the gradient of `weight` has the dtype of `weight`."""
    return products(x, (weight,))[0]


def products(x: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Multiply `x` by each weight in one matmul: casting copies the weights anyway, so the copies share a tensor."""
    found: Any = _products(x, list(weights))
    return split(found, [len(weight) for weight in weights], dim=-1) if len(weights) > 1 else (found,)


def shifted(x: Tensor, bias: Tensor) -> Tensor:
    """Return `x + bias` in the dtype of `x`; the gradient of `bias` has the dtype of `bias`."""
    return differentiated(_BiasSum, x, bias)


def wide_product(a: Tensor, b: Tensor) -> Tensor:
    """Return `a @ b` in float32, on a GPU without rounding to the input dtype or writing the result twice."""
    # `out_dtype` has no CPU kernel.
    return torch.mm(a, b, out_dtype=torch.float32) if a.is_cuda and a.dtype != torch.float32 else (a @ b).float()


@torch.library.custom_op("webgym::products", mutates_args=())
def _products(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    return functional.linear(x, _joined(weights, x.dtype))


@_products.register_fake
def _(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    return x.new_empty((*x.shape[:-1], _rows(weights)))


@torch.library.custom_op("webgym::products_to_input", mutates_args=())
def _to_input(slope: Tensor, weights: Sequence[Tensor]) -> Tensor:
    return slope @ _joined(weights, slope.dtype)


@_to_input.register_fake
def _(slope: Tensor, weights: Sequence[Tensor]) -> Tensor:
    return slope.new_empty((*slope.shape[:-1], weights[0].shape[1]))


@torch.library.custom_op("webgym::products_to_weights", mutates_args=())
def _to_weights(slope: Tensor, x: Tensor) -> Tensor:
    return wide_product(slope.flatten(0, -2).t(), x.flatten(0, -2))


@_to_weights.register_fake
def _(slope: Tensor, x: Tensor) -> Tensor:
    return x.new_empty((slope.shape[-1], x.shape[-1]), dtype=torch.float32)


@torch.library.custom_op("webgym::sum_of_rows", mutates_args=())
def _sum_of_rows(slope: Tensor) -> Tensor:
    return slope.flatten(0, -2).sum(0, dtype=torch.float32)


@_sum_of_rows.register_fake
def _(slope: Tensor) -> Tensor:
    return slope.new_empty(slope.shape[-1], dtype=torch.float32)


class _BiasSum(torch.autograd.Function):
    """Adds a bias. Its gradient is summed in a custom operator too: the sum is slower if fused with its input."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, bias: Tensor) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx.dtype = bias.dtype
        return x + bias.to(x.dtype)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, Tensor | None]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return slope, _sum_of_rows(slope).to(ctx.dtype) if ctx.needs_input_grad[1] else None


def _joined(weights: Sequence[Tensor], dtype: torch.dtype) -> Tensor:
    """Concatenate weights along their rows in `dtype`, in a single write."""
    if len(weights) == 1:
        return weights[0].to(dtype)
    found = weights[0].new_empty((_rows(weights), weights[0].shape[1]), dtype=dtype)
    for part, weight in zip(split(found, [len(weight) for weight in weights]), weights, strict=True):
        part.copy_(weight)
    return found


def _rows(weights: Sequence[Tensor]) -> int:
    return sum(weight.shape[0] for weight in weights)


def _keep(ctx: Any, inputs: tuple[Tensor, Sequence[Tensor]], output: Tensor) -> None:  # noqa: ARG001  as torch calls it
    x, weights = inputs
    ctx.save_for_backward(x, *weights)


def _back(ctx: Any, slope: Tensor) -> tuple[Tensor | None, list[Tensor | None]]:
    x, *weights = ctx.saved_tensors
    to_x = _to_input(slope, weights) if ctx.needs_input_grad[0] else None
    if not any(ctx.needs_input_grad[1]):
        return to_x, [None] * len(weights)
    parts = split(_to_weights(slope, x), [len(weight) for weight in weights])
    return to_x, [part.to(weight.dtype) for part, weight in zip(parts, weights, strict=True)]


_products.register_autograd(_back, setup_context=_keep)

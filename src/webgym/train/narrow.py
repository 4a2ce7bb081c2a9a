"""Products with weights that are wider than what is computed in.

Operators of their own, so that what compiles a layer cannot look into them: it would keep the narrow copy of every
weight from the way there for the way back, which is as much as the whole narrow model.
"""

# pyright: reportUnknownMemberType=false, reportUntypedFunctionDecorator=false, reportFunctionMemberAccess=false

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional


def product(x: Tensor, weight: Tensor) -> Tensor:
    """`x` times `weight`, in the width of `x`; the gradient of `weight` is in its own."""
    found: Any = _product(x, weight)
    return found


@torch.library.custom_op("webgym::product", mutates_args=())
def _product(x: Tensor, weight: Tensor) -> Tensor:
    return functional.linear(x, weight.to(x.dtype))


@_product.register_fake
def _(x: Tensor, weight: Tensor) -> Tensor:
    return x.new_empty((*x.shape[:-1], weight.shape[0]))


@torch.library.custom_op("webgym::product_to_input", mutates_args=())
def _to_input(slope: Tensor, weight: Tensor) -> Tensor:
    return slope @ weight.to(slope.dtype)


@_to_input.register_fake
def _(slope: Tensor, weight: Tensor) -> Tensor:
    return slope.new_empty((*slope.shape[:-1], weight.shape[1]))


@torch.library.custom_op("webgym::product_to_weight", mutates_args=())
def _to_weight(slope: Tensor, x: Tensor, weight: Tensor) -> Tensor:
    slope, x = slope.flatten(0, -2).t(), x.flatten(0, -2)
    if slope.is_cuda and weight.dtype == torch.float32:
        # As wide as it is added up: nothing is rounded in between, and nothing is written twice.
        return torch.mm(slope, x, out_dtype=torch.float32)
    return (slope @ x).to(weight.dtype)


@_to_weight.register_fake
def _(slope: Tensor, x: Tensor, weight: Tensor) -> Tensor:  # noqa: ARG001  as the operator has it
    return torch.empty_like(weight)


def _keep(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:  # noqa: ARG001  as torch calls it
    ctx.save_for_backward(*inputs)


def _back(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None]:
    x, weight = ctx.saved_tensors
    to_x = _to_input(slope, weight) if ctx.needs_input_grad[0] else None
    return to_x, _to_weight(slope, x, weight) if ctx.needs_input_grad[1] else None


_product.register_autograd(_back, setup_context=_keep)

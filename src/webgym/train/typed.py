"""Typed wrappers of untyped torch functions."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

Given = TypeVar("Given", bound=Callable[..., Any])


def recomputed(function: Callable[..., Tensor], *arguments: Any) -> Tensor:
    """Call a function with activation checkpointing: the backward pass recomputes its activations."""
    found: Any = checkpoint(function, *arguments, use_reentrant=False, preserve_rng_state=False)
    return found


def differentiated(function: type[torch.autograd.Function], *arguments: Any) -> Any:
    """Apply a custom autograd function."""
    return function.apply(*arguments)


def compiled(function: Given) -> Given:
    """Compile a function, for inputs of any length."""
    found: Any = torch.compile(function, dynamic=True)
    return found


def integers(tensor: Tensor) -> list[int]:
    return tensor.tolist()


def split(tensor: Tensor, lengths: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    return torch.split(tensor, list(lengths), dim)


def backward(loss: Tensor) -> None:
    loss.backward()


def add_up(tensor: Tensor) -> None:
    """Sum in place over all ranks."""
    torch.distributed.all_reduce(tensor)


def take_largest(tensor: Tensor) -> None:
    """Take the maximum in place over all ranks."""
    torch.distributed.all_reduce(tensor, torch.distributed.ReduceOp.MAX)


def wait_for_all() -> None:
    """Wait until every rank gets here."""
    torch.distributed.barrier()

"""Functions of torch that come without types, with them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

Given = TypeVar("Given", bound=Callable[..., Any])


def recomputed(function: Callable[..., Tensor], *arguments: Any) -> Tensor:
    """What a function returns; on the way back it is called again for what it would have kept."""
    found: Any = checkpoint(function, *arguments, use_reentrant=False, preserve_rng_state=False)
    return found


def differentiated(function: type[torch.autograd.Function], *arguments: Any) -> Any:
    """What a function with a gradient of its own returns."""
    return function.apply(*arguments)


def compiled(function: Given) -> Given:
    """The same, fused where torch can, for inputs of any length."""
    found: Any = torch.compile(function, dynamic=True)
    return found


def integers(tensor: Tensor) -> list[int]:
    return tensor.tolist()


def split(tensor: Tensor, lengths: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    return torch.split(tensor, list(lengths), dim)


def backward(loss: Tensor) -> None:
    loss.backward()


def add_up(tensor: Tensor) -> None:
    """In place, over all processes."""
    torch.distributed.all_reduce(tensor)


def take_largest(tensor: Tensor) -> None:
    """In place, over all processes."""
    torch.distributed.all_reduce(tensor, torch.distributed.ReduceOp.MAX)


def wait_for_all() -> None:
    """Until every process is here."""
    torch.distributed.barrier()

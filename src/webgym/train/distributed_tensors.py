"""Tensors that may be sharded over ranks."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor, distribute_tensor


def full_tensor(tensor: Tensor) -> Tensor:
    """Return the unsharded tensor. A collective: all ranks must call it, in the same order."""
    tensor = tensor.detach()
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def fill(tensor: Tensor, values: Tensor) -> None:
    """Copy `values`, or this rank's shard of them, into `tensor`."""
    with torch.no_grad():
        if isinstance(tensor, DTensor):
            here = values.to(tensor.device, tensor.dtype)
            tensor.copy_(distribute_tensor(here, tensor.device_mesh, tensor.placements, src_data_rank=None))
        else:
            tensor.copy_(values)


def processes() -> int:
    return torch.distributed.get_world_size() if torch.distributed.is_initialized() else 1


def rank() -> int:
    return torch.distributed.get_rank() if torch.distributed.is_initialized() else 0

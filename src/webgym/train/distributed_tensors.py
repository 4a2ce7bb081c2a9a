"""Tensors that may be spread over processes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor, distribute_tensor


def full_tensor(tensor: Tensor) -> Tensor:
    """All of it, in this process. All processes must ask for it, in the same order."""
    tensor = tensor.detach()
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def fill(tensor: Tensor, values: Tensor) -> None:
    """Take over these values, or this process's part of them."""
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

"""FSDP: each rank keeps a shard of every weight, and gathers a layer when it is needed."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed import fsdp
from torch.distributed.device_mesh import init_device_mesh

from webgym.train.distributed_tensors import processes
from webgym.train.model import PackedModel
from webgym.train.typed import add_up, take_largest


def shard(model: PackedModel, device: torch.device) -> None:
    """Shard a model over all ranks of the process group. Gradients are reduced in float32."""
    mesh = init_device_mesh(device.type, (processes(),))
    policy = fsdp.MixedPrecisionPolicy(param_dtype=model.dtype, reduce_dtype=torch.float32, cast_forward_inputs=False)
    for layer in (*model.vision_blocks, *model.text_layers):
        fsdp.fully_shard(layer, mesh=mesh, mp_policy=policy)
    fsdp.fully_shard(model, mesh=mesh, mp_policy=policy)
    model.always_look = True


def added_up(tensor: Tensor) -> Tensor:
    """Sum in place over all ranks."""
    if processes() > 1:
        add_up(tensor)
    return tensor


def largest(tensor: Tensor) -> Tensor:
    """Take the maximum in place over all ranks."""
    if processes() > 1:
        take_largest(tensor)
    return tensor

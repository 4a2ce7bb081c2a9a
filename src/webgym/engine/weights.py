"""Weights in device memory. New ones are copied into the same tensors, so that references to them stay valid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import torch

from webgym.errors import ConfigError


class DeviceWeights:
    """Tensors by name on one device, in one dtype unless told otherwise."""

    def __init__(self, device: torch.device, dtype: torch.dtype) -> None:
        self.device = device
        self.dtype = dtype
        self._tensors: dict[str, torch.Tensor] = {}

    def put(self, name: str, value: torch.Tensor, *, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Store a value under a name, in the existing tensor if there is one."""
        there = self._tensors.get(name)
        if there is None:
            kept = torch.empty(value.shape, device=self.device, dtype=dtype or self.dtype).copy_(value)
            self._tensors[name] = kept
            return kept
        if there.shape != value.shape:
            raise ConfigError(f"{name} is of shape {tuple(value.shape)}; the model's is {tuple(there.shape)}")
        return there.copy_(value)

    @property
    def bytes(self) -> int:
        """Bytes of all tensors."""
        return sum(tensor.numel() * tensor.element_size() for tensor in self._tensors.values())


def pairs(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Reorder query or key rows so that dimensions rotated together are adjacent: rotation is then a complex product.

    Dot products of queries and keys do not change, since both are reordered in the same way.
    """
    size = weight.shape[0] // heads
    return weight.reshape(heads, 2, size // 2, -1).transpose(1, 2).reshape(weight.shape)


def turn(states: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Apply rotary embeddings: states in `pairs` order, [..., head_dim], times complex factors, [..., head_dim / 2]."""
    pairs_of = torch.view_as_complex(states.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs_of * turns).flatten(-2).to(states.dtype)

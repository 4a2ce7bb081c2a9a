"""Weights in memory. What is loaded later goes into the same tensors, so that nothing that uses them notices."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import torch

from webgym.errors import ConfigError


class DeviceWeights:
    """Tensors by name, on one device, in one precision."""

    def __init__(self, device: torch.device, dtype: torch.dtype) -> None:
        self.device = device
        self.dtype = dtype
        self._tensors: dict[str, torch.Tensor] = {}

    def put(self, name: str, value: torch.Tensor, *, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Keep a value under this name: in the tensor that is there, or in a new one."""
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
        """That the tensors take."""
        return sum(tensor.numel() * tensor.element_size() for tensor in self._tensors.values())


def pairs(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of queries or keys with what turns together side by side, so that turning is one complex product.

    Products of queries and keys stay what they were: both are put into the same order.
    """
    size = weight.shape[0] // heads
    return weight.reshape(heads, 2, size // 2, -1).transpose(1, 2).reshape(weight.shape)


def turn(states: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Rotary positions: [..., head_dim] of paired states, times complex factors of [..., head_dim / 2]."""
    pairs_of = torch.view_as_complex(states.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs_of * turns).flatten(-2).to(states.dtype)

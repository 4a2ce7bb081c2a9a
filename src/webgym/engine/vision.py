"""The vision tower of Qwen3-VL over batches of equal-sized images, with transformers' weights."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch.nn import functional as F  # noqa: N812 - as everyone calls it

from webgym.engine.grids import PatchGrid, resampling, vision_turns
from webgym.engine.kernels import linear, linear_gelu
from webgym.engine.shape import VisionConfig
from webgym.engine.weights import DeviceWeights, pairs, turn

_PREFIX = "model.visual."
_EPS = 1e-6
_MOST_GRIDS = 16

_Tensors = Mapping[str, torch.Tensor]


class Features(NamedTuple):
    """What the language model gets for one image."""

    embedding: torch.Tensor
    """[tokens, size]"""
    deep: tuple[torch.Tensor, ...]
    """Deepstack features, added to the outputs of the language model's first layers."""

    @property
    def bytes(self) -> int:
        return sum(tensor.numel() * tensor.element_size() for tensor in (self.embedding, *self.deep))


class _Affine(NamedTuple):
    """Weight and bias of a linear layer or a norm."""

    weight: torch.Tensor
    bias: torch.Tensor

    def linear(self, states: torch.Tensor) -> torch.Tensor:
        return linear(states, self.weight, self.bias)

    def gelu(self, states: torch.Tensor, approximate: str = "none") -> torch.Tensor:
        return linear_gelu(states, self.weight, self.bias, approximate=approximate)

    def norm(self, states: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(states, self.weight.shape, self.weight, self.bias, _EPS)


class _Block(NamedTuple):
    norm1: _Affine
    qkv: _Affine
    proj: _Affine
    norm2: _Affine
    fc1: _Affine
    fc2: _Affine


class _Merger(NamedTuple):
    norm: _Affine
    fc1: _Affine
    fc2: _Affine

    def merge(self, states: torch.Tensor) -> torch.Tensor:
        """Merge neighbouring patches of [images, patches, size] into tokens; the norm's size tells where it goes."""
        merged = self.fc1.weight.shape[1]
        if self.norm.weight.shape[0] == merged:
            states = self.norm.norm(states.reshape(states.shape[0], -1, merged))
        else:
            states = self.norm.norm(states).reshape(states.shape[0], -1, merged)
        return self.fc2.linear(self.fc1.gelu(states))


class VisionTower:
    """Encodes images into features."""

    def __init__(
        self, shape: VisionConfig, device_weights: DeviceWeights, mean: torch.Tensor, scale: torch.Tensor
    ) -> None:
        self._shape = shape
        self._device_weights = device_weights
        self._mean = mean.to(device_weights.device)
        self._scale = scale.to(device_weights.device)
        """With `_mean`, normalizes pixels from 0 to 255 per channel: (pixel - mean) * scale."""
        self._grids: dict[PatchGrid, tuple[torch.Tensor, torch.Tensor]] = {}

    def load(self, tensors: _Tensors) -> None:
        """Load weights, under transformers' names."""
        shape, put = self._shape, self._device_weights.put
        patch = tensors[f"{_PREFIX}patch_embed.proj.weight"]
        # Both frames of an image are the same: summing the weights over frames once saves half of the products.
        embed = put("vision.embed", patch.float().sum(2).flatten(1))
        self._embed = _Affine(embed, put("vision.embed.bias", tensors[f"{_PREFIX}patch_embed.proj.bias"]))
        self._positions = put("vision.positions", tensors[f"{_PREFIX}pos_embed.weight"], dtype=torch.float)
        self._blocks = [self._block(tensors, number) for number in range(shape.depth)]
        self._merger = self._merging(tensors, "merger")
        self._deep = {
            layer: self._merging(tensors, f"deepstack_merger_list.{number}")
            for number, layer in enumerate(shape.deepstack_visual_indexes)
        }
        self._grids.clear()

    def look(self, patches: torch.Tensor, grid: PatchGrid) -> list[Features]:
        """Return the features of images of one grid, given as uint8 pixels: [images, patches, channels · patch²]."""
        shape = self._shape
        states = self._embed.linear(self._normalised(patches))
        positions, turns = self._at(grid)
        states = states + positions
        deep: list[torch.Tensor] = []
        for number, block in enumerate(self._blocks):
            states = states + block.proj.linear(self._attention(block, states, turns))
            states = states + block.fc2.linear(block.fc1.gelu(block.norm2.norm(states), "tanh"))
            if number in self._deep:
                deep.append(self._deep[number].merge(states))
        tokens = self._merger.merge(states).view(len(patches), grid.tokens(shape.spatial_merge_size), -1)
        return [Features(tokens[i], tuple(layer[i] for layer in deep)) for i in range(len(patches))]

    def _normalised(self, patches: torch.Tensor) -> torch.Tensor:
        channels = self._shape.in_channels
        pixels = patches.to(self._device_weights.device, torch.float).unflatten(-1, (channels, -1))
        return ((pixels - self._mean[:, None]) * self._scale[:, None]).flatten(-2).to(self._device_weights.dtype)

    def _attention(self, block: _Block, states: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
        heads, size = self._shape.num_heads, self._shape.head_dim
        count, length = states.shape[:2]
        qkv = block.qkv.linear(block.norm1.norm(states)).view(count, length, 3, heads, size)
        turned = turn(qkv[:, :, :2], turns)
        query, key = turned.permute(2, 0, 3, 1, 4).unbind(0)
        value = qkv[:, :, 2].transpose(1, 2)
        return F.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(count, length, -1)

    def _at(self, grid: PatchGrid) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the learned and rotary positions of a grid, cached: there are few sizes."""
        if grid not in self._grids:
            if len(self._grids) >= _MOST_GRIDS:
                del self._grids[next(iter(self._grids))]
            mix = resampling(grid, self._shape).to(self._device_weights.device)
            turns = vision_turns(grid, self._shape).to(self._device_weights.device)
            self._grids[grid] = ((mix @ self._positions).to(self._device_weights.dtype), turns[:, None, None, :])
        return self._grids[grid]

    def _affine(self, tensors: _Tensors, name: str) -> _Affine:
        put = self._device_weights.put
        weight = put(f"vision.{name}", tensors[f"{_PREFIX}{name}.weight"])
        return _Affine(weight, put(f"vision.{name}.bias", tensors[f"{_PREFIX}{name}.bias"]))

    def _qkv(self, tensors: _Tensors, name: str) -> _Affine:
        """Load the QKV projection, with queries and keys in `pairs` order for the rotary embeddings."""
        weight, bias = tensors[f"{_PREFIX}{name}.weight"], tensors[f"{_PREFIX}{name}.bias"]
        size, heads = self._shape.hidden_size, self._shape.num_heads

        def ordered(whole: torch.Tensor) -> torch.Tensor:
            query, key, value = whole.reshape(3, size, -1)
            return torch.cat([pairs(query, heads), pairs(key, heads), value]).reshape(whole.shape)

        return _Affine(
            self._device_weights.put(f"vision.{name}", ordered(weight)),
            self._device_weights.put(f"vision.{name}.bias", ordered(bias)),
        )

    def _block(self, tensors: _Tensors, number: int) -> _Block:
        name = f"blocks.{number}."
        return _Block(
            norm1=self._affine(tensors, f"{name}norm1"),
            qkv=self._qkv(tensors, f"{name}attn.qkv"),
            proj=self._affine(tensors, f"{name}attn.proj"),
            norm2=self._affine(tensors, f"{name}norm2"),
            fc1=self._affine(tensors, f"{name}mlp.linear_fc1"),
            fc2=self._affine(tensors, f"{name}mlp.linear_fc2"),
        )

    def _merging(self, tensors: _Tensors, name: str) -> _Merger:
        return _Merger(*(self._affine(tensors, f"{name}.{part}") for part in ("norm", "linear_fc1", "linear_fc2")))

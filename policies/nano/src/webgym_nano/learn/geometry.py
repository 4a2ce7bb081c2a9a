"""Positions of patches, image tokens and letters: constant, since all screenshots have one size."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import torch
from torch import Tensor

from webgym_nano.config import NanoConfig
from webgym_nano.learn.letters import SLOT_HEIGHT, SLOT_WIDTH

_VISION_THETA = 10_000.0


def patch_places(config: NanoConfig) -> tuple[Tensor, Tensor]:
    """Return row and column of each patch in the model's order: the patches of one token are adjacent."""
    rows, columns = config.height // config.patch, config.width // config.patch
    row = torch.arange(rows)[:, None].expand(rows, columns)
    column = torch.arange(columns)[None, :].expand(rows, columns)
    return _blocks(row, config.merge), _blocks(column, config.merge)


def _blocks(grid: Tensor, merge: int) -> Tensor:
    rows, columns = grid.shape
    return grid.reshape(rows // merge, merge, columns // merge, merge).transpose(1, 2).flatten()


def vision_turns(config: NanoConfig) -> tuple[Tensor, Tensor]:
    """Return cosines and sines of the vision tower's rotary embeddings: [patches, head size]."""
    size = config.vision_size // config.vision_heads
    inverse = 1 / _VISION_THETA ** (torch.arange(0, size // 2, 2).float() / (size // 2))
    row, column = patch_places(config)
    angles = torch.cat([row[:, None] * inverse, column[:, None] * inverse], -1)
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def corners(config: NanoConfig) -> tuple[Tensor, Tensor]:
    """Return the four learned positions around each patch and their bilinear weights: [patches, 4] each."""
    side = config.vision_grid
    row, column = patch_places(config)
    down = torch.linspace(0, side - 1, config.height // config.patch)[row]
    across = torch.linspace(0, side - 1, config.width // config.patch)[column]
    top, left = down.long(), across.long()
    bottom, right = (top + 1).clamp(max=side - 1), (left + 1).clamp(max=side - 1)
    y, x = down - top, across - left
    numbers = torch.stack([top * side + left, top * side + right, bottom * side + left, bottom * side + right], -1)
    return numbers, torch.stack([(1 - y) * (1 - x), (1 - y) * x, y * (1 - x), y * x], -1)


def prefix_positions(config: NanoConfig, before: int) -> tuple[Tensor, int]:
    """Return the M-RoPE positions (time, height, width) of the prefix, [3, tokens], and where the text goes on."""
    cell = config.patch * config.merge
    rows, columns = config.height // cell, config.width // cell
    row = torch.arange(rows)[:, None].expand(rows, columns).flatten()
    column = torch.arange(columns)[None, :].expand(rows, columns).flatten()
    start = torch.arange(before).expand(3, -1)
    picture = torch.stack([torch.zeros_like(row), row, column]) + before
    end = before + max(rows, columns)
    return torch.cat([start, picture, torch.full((3, 1), end)], 1), end + 1


def text_frequencies(config: NanoConfig) -> tuple[Tensor, Tensor]:
    """Return the rotary frequencies, and the axis (time, height, width) of each: interleaved M-RoPE."""
    size = config.head_size
    inverse = 1 / config.rope_theta ** (torch.arange(0, size, 2).float() / size)
    axis = torch.zeros(size // 2, dtype=torch.long)
    for number in (1, 2):
        axis[number : config.mrope[number] * 3 : 3] = number
    return inverse, axis


def slot_numbers(config: NanoConfig) -> Tensor:
    """Return the index of each letter slot among the outputs of the patches: [rows, columns] of slots."""
    high, wide = config.patch // SLOT_HEIGHT, config.patch // SLOT_WIDTH
    rows, columns = config.height // config.patch, config.width // config.patch
    row, column = patch_places(config)
    order = torch.empty(rows, columns, dtype=torch.long)
    order[row, column] = torch.arange(rows * columns)
    inner = torch.arange(high * wide).view(high, wide)
    numbers = order[:, None, :, None] * (high * wide) + inner[None, :, None, :]
    return numbers.reshape(rows * high, columns * wide)

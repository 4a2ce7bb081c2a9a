"""Positions of patches in an image, and of tokens in a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from webgym.engine.shape import TextConfig, VisionConfig


@dataclass(frozen=True, slots=True)
class PatchGrid:
    """Size of an image in patches."""

    rows: int
    columns: int

    @property
    def patches(self) -> int:
        return self.rows * self.columns

    def tokens(self, merge: int) -> int:
        """Return the number of tokens the image takes in a prompt."""
        return self.patches // merge**2


def patch_places(grid: PatchGrid, merge: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return row and column of each patch in the model's order: the patches of one token are adjacent."""
    rows = torch.arange(grid.rows)[:, None].expand(grid.rows, grid.columns)
    columns = torch.arange(grid.columns)[None, :].expand(grid.rows, grid.columns)
    blocks = (grid.rows // merge, merge, grid.columns // merge, merge)
    return tuple(place.reshape(blocks).transpose(1, 2).flatten() for place in (rows, columns))  # type: ignore[return-value]


def vision_turns(grid: PatchGrid, shape: VisionConfig, theta: float = 10_000.0) -> torch.Tensor:
    """Return the rotary embeddings of the patches as complex factors: [patches, head_dim / 2]."""
    half = shape.head_dim // 2
    frequencies = 1.0 / (theta ** (torch.arange(0, half, 2, dtype=torch.float) / half))
    rows, columns = patch_places(grid, shape.spatial_merge_size)
    angles = torch.cat([rows[:, None] * frequencies, columns[:, None] * frequencies], -1)
    return torch.polar(torch.ones_like(angles), angles)


def resampling(grid: PatchGrid, shape: VisionConfig) -> torch.Tensor:
    """Return the bilinear interpolation of the square of learned positions to this grid: [patches, side²]."""
    side = shape.side
    rows, columns = patch_places(grid, shape.spatial_merge_size)
    mix = torch.zeros(grid.patches, side * side)
    here = torch.arange(grid.patches)
    for row, row_part in _taps(rows, grid.rows, side):
        for column, column_part in _taps(columns, grid.columns, side):
            mix.index_put_((here, row * side + column), row_part * column_part, accumulate=True)
    return mix


def _taps(place: torch.Tensor, size: int, side: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    source = place.float() * (side - 1) / max(size - 1, 1)
    low = source.floor()
    part = source - low
    first = low.long().clamp(0, side - 1)
    second = (low.long() + 1).clamp(0, side - 1)
    return [(first, 1 - part), (second, part)]


def text_frequencies(shape: TextConfig) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the rotary frequencies, and the axis (time, height, width) of each: interleaved M-RoPE."""
    size = shape.head_dim
    frequencies = 1.0 / (shape.rope.rope_theta ** (torch.arange(0, size, 2, dtype=torch.float) / size))
    axis = torch.zeros(size // 2, dtype=torch.long)
    for number in (1, 2):
        axis[number : shape.rope.mrope_section[number] * 3 : 3] = number
    return frequencies, axis


def sequence_places(
    ids: Sequence[int], grids: Sequence[PatchGrid], image_id: int, merge: int
) -> tuple[torch.Tensor, int]:
    """Return the M-RoPE positions of the tokens (time, height, width), [3, tokens], and the next position.

    An image advances the position by the number of tokens along its longer side.
    """
    parts: list[torch.Tensor] = []
    place = start = 0
    waiting = iter(grids)
    while start < len(ids):
        if ids[start] == image_id:
            grid = next(waiting)
            parts.append(_picture_places(grid, place, merge))
            place += max(grid.rows, grid.columns) // merge
            start += grid.tokens(merge)
        else:
            end = start
            while end < len(ids) and ids[end] != image_id:
                end += 1
            parts.append(torch.arange(place, place + end - start).expand(3, -1))
            place += end - start
            start = end
    return torch.cat(parts, 1), place


def _picture_places(grid: PatchGrid, place: int, merge: int) -> torch.Tensor:
    rows, columns = grid.rows // merge, grid.columns // merge
    height = torch.arange(rows)[:, None].expand(rows, columns).reshape(-1)
    width = torch.arange(columns)[None, :].expand(rows, columns).reshape(-1)
    return torch.stack([torch.zeros_like(height), height, width]) + place

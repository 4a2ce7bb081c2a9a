"""Positions of tokens and patches: rotary positions of text and images, and learned positions of patches."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.errors import SampleError, SampleProblem
from webgym.train.typed import integers

Grid = tuple[int, int]
"""Height and width of an image, in patches."""


def token_positions(ids: Tensor, grids: Sequence[Grid], image_token: int, merge: int) -> Tensor:
    """Return the M-RoPE positions (time, height, width) of every token of one row.

    An image advances the position by the number of tokens along its longer side.

    Raises:
        SampleError: Runs of placeholders and images do not match.
    """
    runs = _runs(ids == image_token)
    tokens = [(height // merge) * (width // merge) for height, width in grids]
    _check(runs, tokens)
    parts: list[Tensor] = []
    at = now = 0
    pictures = iter(grids)
    for start, stop in runs:
        parts.append(_steps(now, start - at))
        now += start - at
        height, width = (side // merge for side in next(pictures))
        parts.append(_cells(height, width) + now)
        now += max(height, width)
        at = stop
    parts.append(_steps(now, len(ids) - at))
    return torch.cat(parts, dim=1)


def _runs(placeholder: Tensor) -> list[tuple[int, int]]:
    padded = torch.nn.functional.pad(placeholder.to(torch.int8), (1, 1))
    edges = padded.diff()
    starts, stops = (integers((edges == edge).nonzero().flatten()) for edge in (1, -1))
    return list(zip(starts, stops, strict=True))


def _check(runs: list[tuple[int, int]], tokens: list[int]) -> None:
    found, needed = sum(stop - start for start, stop in runs), sum(tokens)
    if found != needed:
        message = f"a prompt has {found} placeholder tokens, its {len(tokens)} pictures need {needed}"
        raise SampleError(message, problem=SampleProblem.PICTURES)
    lengths = [stop - start for start, stop in runs]
    if lengths != tokens:
        message = f"runs of placeholders {lengths} are not the pictures' tokens {tokens}"
        raise SampleError(message, problem=SampleProblem.PICTURES)


def _steps(start: int, count: int) -> Tensor:
    return torch.arange(start, start + count).expand(3, -1)


@functools.lru_cache(maxsize=256)
def _cells(height: int, width: int) -> Tensor:
    rows = torch.arange(height)[:, None].expand(height, width).flatten()
    columns = torch.arange(width).repeat(height)
    return torch.stack((torch.zeros_like(rows), rows, columns))


@dataclass(frozen=True, slots=True)
class PatchPlaces:
    """Positions of the patches of one image, in token order."""

    at: Tensor
    """Row and column; shape (patches, 2)."""
    taps: Tensor
    """The four nearest learned positions; shape (patches, 4)."""
    shares: Tensor
    """Bilinear interpolation weights of the taps."""


@functools.lru_cache(maxsize=256)
def patch_places(grid: Grid, side: int, merge: int) -> PatchPlaces:
    """Return patch positions for this grid, with the learned `side` by `side` grid interpolated to it."""
    height, width = grid
    rows = torch.arange(height)[:, None].expand(height, width)
    columns = torch.arange(width).expand(height, width)
    at = torch.stack([_by_token(rows, merge), _by_token(columns, merge)], dim=1)
    upper, lower, down = _between(at[:, 0], height, side)
    left, right, along = _between(at[:, 1], width, side)
    taps = torch.stack([upper * side + left, upper * side + right, lower * side + left, lower * side + right], dim=1)
    shares = torch.stack([(1 - down) * (1 - along), (1 - down) * along, down * (1 - along), down * along], dim=1)
    return PatchPlaces(at, taps, shares)


def _by_token(cells: Tensor, merge: int) -> Tensor:
    """Flatten so that the patches of one token are adjacent."""
    height, width = cells.shape
    return cells.reshape(height // merge, merge, width // merge, merge).transpose(1, 2).flatten()


def _between(index: Tensor, size: int, side: int) -> tuple[Tensor, Tensor, Tensor]:
    at = index.float() * (side - 1) / max(size - 1, 1)
    lower = at.floor().long()
    return lower, (lower + 1).clamp(max=side - 1), at - lower

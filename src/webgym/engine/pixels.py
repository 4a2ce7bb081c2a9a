"""Encoded images to patches, as transformers' Qwen-VL image processor makes them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from PIL import Image, UnidentifiedImageError

from webgym.engine.grids import PatchGrid
from webgym.errors import ConfigError, PolicyRejected

_MOST_PIXELS = 50_000_000
UNREADABLE = (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError, TypeError)
"""What Pillow raises for bytes that are not an image, or claim to be a huge one."""


@dataclass(frozen=True, slots=True)
class Patches:
    """An image cut into patches of uint8 pixels: [patches, channels · patch²]."""

    pixels: torch.Tensor
    grid: PatchGrid

    @property
    def bytes(self) -> int:
        return self.pixels.numel()


@dataclass(frozen=True, slots=True)
class PictureReader:
    """Preprocesses images as `preprocessor_config.json` says."""

    patch: int
    merge: int
    fewest: int
    """Minimum number of pixels after resizing; `most` is the maximum."""
    most: int
    resample: Image.Resampling
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    """With `mean`, normalizes pixels from 0 to 255: (pixel - mean) * scale."""

    def grid(self, width: int, height: int) -> PatchGrid:
        """Return the grid of an image of this size, after resizing.

        Raises:
            PolicyRejected: It is too narrow.
        """
        if min(width, height) < 1 or max(width, height) / min(width, height) > 200:
            raise PolicyRejected(f"a picture of {width} by {height} pixels is too narrow")
        cell = self.patch * self.merge
        rows, columns = round(height / cell), round(width / cell)
        if rows * columns * cell**2 > self.most:
            shrink = math.sqrt(height * width / self.most)
            rows, columns = (max(1, math.floor(side / shrink / cell)) for side in (height, width))
        elif rows * columns * cell**2 < self.fewest:
            grow = math.sqrt(self.fewest / (height * width))
            rows, columns = (math.ceil(side * grow / cell) for side in (height, width))
        return PatchGrid(rows * self.merge, columns * self.merge)

    def read(self, data: bytes) -> Patches:
        """Decode an image, resize it and cut it into patches.

        Raises:
            PolicyRejected: It is not an image, or too large or narrow.
        """
        try:
            with Image.open(io.BytesIO(data)) as image:
                if image.width * image.height > _MOST_PIXELS:
                    raise PolicyRejected(f"a picture of {image.width} by {image.height} pixels is too large")
                picture = image.convert("RGB")
        except UNREADABLE as error:
            raise PolicyRejected(f"a picture cannot be read: {error}") from error
        grid = self.grid(picture.width, picture.height)
        size = (grid.columns * self.patch, grid.rows * self.patch)
        if picture.size != size:
            picture = picture.resize(size, self.resample)
        return Patches(self._cut(np.asarray(picture), grid), grid)

    def _cut(self, pixels: np.ndarray[Any, np.dtype[np.uint8]], grid: PatchGrid) -> torch.Tensor:
        merge, patch = self.merge, self.patch
        blocks = pixels.reshape(grid.rows // merge, merge, patch, grid.columns // merge, merge, patch, 3)
        ordered = blocks.transpose(0, 3, 1, 4, 6, 2, 5).reshape(grid.patches, 3 * patch * patch)
        return torch.from_numpy(np.ascontiguousarray(ordered))


def read_settings(folder: Path) -> PictureReader:
    """Return the image reader that a checkpoint asks for.

    Raises:
        ConfigError: Its preprocessor config is missing or incomplete.
    """
    try:
        told = msgspec.json.decode((folder / "preprocessor_config.json").read_bytes())
        size = told.get("size") or {}
        factor = 1 / 255 if told.get("rescale_factor") is None else told["rescale_factor"]
        return PictureReader(
            patch=told["patch_size"],
            merge=told["merge_size"],
            fewest=told.get("min_pixels") or size["shortest_edge"],
            most=told.get("max_pixels") or size["longest_edge"],
            resample=Image.Resampling(told.get("resample", Image.Resampling.BICUBIC)),
            mean=tuple(value / factor for value in told["image_mean"]),
            scale=tuple(factor / value for value in told["image_std"]),
        )
    except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{folder}/preprocessor_config.json is missing or incomplete: {error!r}") from error

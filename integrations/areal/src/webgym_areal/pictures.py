"""Converts encoded pictures to the input of AReaL's trainers: float patches and grids."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from webgym.engine.grids import PatchGrid
from webgym.engine.pixels import UNREADABLE, Patches, PictureReader, read_settings
from webgym.engine.shape import read_shape
from webgym.errors import PolicyRejected
from webgym_areal.package import torch


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts pictures into patches, as a checkpoint's image processor does."""

    reader: PictureReader
    frames: int
    """Frames per patch: a still picture is repeated this many times."""

    def grid(self, data: bytes) -> PatchGrid:
        """Return the size in patches, reading only the image header.

        Raises:
            PolicyRejected: The data is not an image.
        """
        try:
            with Image.open(io.BytesIO(data)) as image:
                return self.reader.grid(*image.size)
        except UNREADABLE as error:
            raise PolicyRejected(f"cannot read an image: {error}") from error

    def tokens(self, grid: PatchGrid) -> int:
        """Return the number of prompt tokens of a picture."""
        return grid.tokens(self.reader.merge)

    def read(self, data: bytes) -> Patches:
        """Decode to patches of bytes, an eighth of the size of float patches.

        Raises:
            PolicyRejected: The data is not an image.
        """
        return self.reader.read(data)

    def values(self, patches: Patches) -> Any:
        """Return the tensor of transformers' processor: one row per patch, of channels, frames, height and width."""
        package, side = torch(), self.reader.patch
        pixels = patches.pixels.view(-1, 3, side * side).float()
        mean = package.tensor(self.reader.mean).view(1, 3, 1)
        scale = package.tensor(self.reader.scale).view(1, 3, 1)
        still = ((pixels - mean) * scale).unsqueeze(2)
        return still.expand(-1, -1, self.frames, -1).reshape(len(pixels), -1)

    def blank(self, grid: tuple[int, int, int]) -> Any:
        """Return zero patches, in place of a picture that is missing."""
        return torch().zeros(grid[0] * grid[1] * grid[2], 3 * self.frames * self.reader.patch**2)


def read_cutter(folder: Path) -> Cutter:
    """Read the image settings of a checkpoint.

    Raises:
        ConfigError: The checkpoint lacks them.
    """
    return Cutter(read_settings(folder), read_shape(folder).vision_config.temporal_patch_size)

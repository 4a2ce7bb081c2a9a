"""Encoded pictures to what AReaL's trainers take: patches of floats, and their grids."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from webgym.engine.grids import Grid
from webgym.engine.pixels import UNREADABLE, Patches, PictureReader, read_settings
from webgym.engine.shape import read_shape
from webgym.errors import PolicyRejected
from webgym.interop.areal.package import torch


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts pictures up as a checkpoint asks for."""

    reader: PictureReader
    frames: int
    """Patches of a still picture are shown to the model this many times over."""

    def grid(self, data: bytes) -> Grid:
        """In patches, from the head of the file alone.

        Raises:
            PolicyRejected: It is no picture.
        """
        try:
            with Image.open(io.BytesIO(data)) as image:
                return self.reader.grid(*image.size)
        except UNREADABLE as error:
            raise PolicyRejected(f"a picture cannot be read: {error}") from error

    def tokens(self, grid: Grid) -> int:
        """That it takes in a prompt."""
        return grid.tokens(self.reader.merge)

    def read(self, data: bytes) -> Patches:
        """As bytes: an eighth of what they are as floats.

        Raises:
            PolicyRejected: It is no picture.
        """
        return self.reader.read(data)

    def values(self, patches: Patches) -> Any:
        """A tensor as transformers' processor makes it: patches by channels, frames, height and width."""
        package, side = torch(), self.reader.patch
        pixels = patches.pixels.view(-1, 3, side * side).float()
        mean = package.tensor(self.reader.mean).view(1, 3, 1)
        scale = package.tensor(self.reader.scale).view(1, 3, 1)
        still = ((pixels - mean) * scale).unsqueeze(2)
        return still.expand(-1, -1, self.frames, -1).reshape(len(pixels), -1)

    def blank(self, grid: tuple[int, int, int]) -> Any:
        """Patches of nothing, in the place of a picture that cannot be had."""
        return torch().zeros(grid[0] * grid[1] * grid[2], 3 * self.frames * self.reader.patch**2)


def read_cutter(folder: Path) -> Cutter:
    """Of a checkpoint.

    Raises:
        ConfigError: It does not say how.
    """
    return Cutter(read_settings(folder), read_shape(folder).vision_config.temporal_patch_size)

"""Coordinate spaces of models, converted to and from viewport pixels.

A space is the size of the grid on which a model writes places, given the size of the image.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from webgym.records.action import Point
from webgym.records.observation import Viewport

Grid = tuple[int, int]
Space = Callable[[Viewport], Grid]


def thousandths(_viewport: Viewport) -> Grid:
    """A grid of 1000 by 1000, whatever the size of the image."""
    return 1000, 1000


def pixels(viewport: Viewport) -> Grid:
    """The pixels of the image itself."""
    return viewport.width, viewport.height


@dataclass(frozen=True, slots=True)
class ResizedPixels:
    """Pixels of the image after the model's processor resized it to multiples of `factor` within an area limit."""

    factor: int = 28
    min_pixels: int = 56 * 56
    max_pixels: int = 28 * 28 * 16384

    def __call__(self, viewport: Viewport) -> Grid:
        """Return width and height after resizing."""
        width, height = self._multiple(viewport.width), self._multiple(viewport.height)
        area = viewport.width * viewport.height
        if width * height > self.max_pixels:
            shrink = math.sqrt(area / self.max_pixels)
            return self._below(viewport.width / shrink), self._below(viewport.height / shrink)
        if width * height < self.min_pixels:
            grow = math.sqrt(self.min_pixels / area)
            return self._above(viewport.width * grow), self._above(viewport.height * grow)
        return width, height

    def _multiple(self, side: int) -> int:
        # Round half to even, as the processors do.
        return max(self.factor, round(side / self.factor) * self.factor)

    def _below(self, side: float) -> int:
        return max(self.factor, math.floor(side / self.factor) * self.factor)

    def _above(self, side: float) -> int:
        return math.ceil(side / self.factor) * self.factor


def to_point(x: float, y: float, grid: Grid, viewport: Viewport) -> Point:
    """Convert a place on the grid to a viewport pixel, clamped to the viewport."""
    return Point(_scaled(x, grid[0], viewport.width), _scaled(y, grid[1], viewport.height))


def from_point(point: Point, grid: Grid, viewport: Viewport) -> tuple[int, int]:
    """Convert a viewport pixel to a place on the model's grid."""
    return _unscaled(point.x, grid[0], viewport.width), _unscaled(point.y, grid[1], viewport.height)


def half_up(value: float) -> int:
    """Round to the nearest integer, half up; Python's `round` goes to even."""
    return math.floor(value + 0.5)


def _scaled(value: float, size: int, pixels: int) -> int:
    # Clamp before scaling, so that huge numbers do not overflow.
    return min(half_up(max(0.0, min(float(value), float(size))) * pixels / size), max(pixels - 1, 0))


def _unscaled(value: int, size: int, pixels: int) -> int:
    return max(0, min(half_up(value * size / pixels), size))

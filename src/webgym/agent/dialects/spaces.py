"""Coordinate spaces of models, to and from pixels of the viewport.

A space gives the size of the grid on which a model writes places, for a picture of a given size.
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
    """Whatever the picture's size, it is 1000 wide and 1000 high."""
    return 1000, 1000


def pixels(viewport: Viewport) -> Grid:
    """The picture's own pixels."""
    return viewport.width, viewport.height


@dataclass(frozen=True, slots=True)
class Resized:
    """Pixels of the picture as a model's processor resizes it: sides are multiples of `factor`, the area is bounded."""

    factor: int = 28
    min_pixels: int = 56 * 56
    max_pixels: int = 28 * 28 * 16384

    def __call__(self, viewport: Viewport) -> Grid:
        """Width and height after resizing."""
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
        # Python's own rounding, halves to even, because the processors do it so.
        return max(self.factor, round(side / self.factor) * self.factor)

    def _below(self, side: float) -> int:
        return max(self.factor, math.floor(side / self.factor) * self.factor)

    def _above(self, side: float) -> int:
        return math.ceil(side / self.factor) * self.factor


def to_point(x: float, y: float, grid: Grid, viewport: Viewport) -> Point:
    """The pixel of the viewport; the nearest one for places outside of it."""
    return Point(_scaled(x, grid[0], viewport.width), _scaled(y, grid[1], viewport.height))


def from_point(point: Point, grid: Grid, viewport: Viewport) -> tuple[int, int]:
    """A pixel of the viewport on the model's grid."""
    return _unscaled(point.x, grid[0], viewport.width), _unscaled(point.y, grid[1], viewport.height)


def half_up(value: float) -> int:
    """The nearest whole number; halves go up, where Python's `round` goes to the even one."""
    return math.floor(value + 0.5)


def _scaled(value: float, size: int, pixels: int) -> int:
    # First onto the grid: a number too large to multiply is still just outside.
    return min(half_up(max(0.0, min(float(value), float(size))) * pixels / size), max(pixels - 1, 0))


def _unscaled(value: int, size: int, pixels: int) -> int:
    return max(0, min(half_up(value * size / pixels), size))

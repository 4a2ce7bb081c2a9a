"""Reads the step counter from a screenshot: a row of black and white cells in the corner of every page.

The title comes from the page's metadata; only the pixels prove that the screenshot shows the same state.
"""

from __future__ import annotations

import io

from PIL import Image

CELL = 16
LEFT = 8
TOP = 8
CELLS = 10
"""A black cell, eight bits, a black cell."""
SHRINK = 8
"""JPEG can be decoded at an eighth of its size at a fraction of the cost; the cells are aligned to that grid."""


def read_step(screenshot: bytes) -> int | None:
    """Return the counter shown in the screenshot, or None if there is none."""
    with Image.open(io.BytesIO(screenshot)) as image:
        width = image.width
        image.draft("L", (image.width // SHRINK, image.height // SHRINK))
        small = image.convert("L")
    scale = width // small.width
    cells = [_dark(small, scale, cell) for cell in range(CELLS)]
    if not (cells[0] and cells[-1]):
        return None
    return int("".join("1" if dark else "0" for dark in cells[1:-1]), 2)


def _dark(image: Image.Image, scale: int, cell: int) -> bool:
    middle = (LEFT + CELL * cell + CELL // 2) // scale, (TOP + CELL // 2) // scale
    level = image.getpixel(middle)
    return isinstance(level, int) and level < 128

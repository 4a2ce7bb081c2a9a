"""Reads the step counter off a screenshot: a row of black and white cells in the corner of every page.

The title is read from the page's record; only the pixels say whether the picture shows the same moment.
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
"""JPEG decodes at an eighth of its size for a fraction of the work; cells lie on that grid."""


def read_step(screenshot: bytes) -> int | None:
    """The counter the picture shows; None where there is none."""
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

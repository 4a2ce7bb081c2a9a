"""Draws marks on a screenshot: a thin border around each element, and its number in a small label beside it."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator, Sequence
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from webgym.records.observation import Box, Mark

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the image."""

_COLOURS = (
    "#c62828",
    "#1565c0",
    "#2e7d32",
    "#6a1b9a",
    "#bf360c",
    "#00695c",
    "#ad1457",
    "#283593",
    "#5d4037",
    "#37474f",
)
"""Dark enough for white digits; consecutive numbers differ in hue."""
_FONT_PIXELS = 13
_CELL = 64.0
_LABEL_WEIGHT = 4.0
"""Covering another label costs more than covering an element."""
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}


def draw(image: bytes, media_type: str, marks: Sequence[Mark], quality: int = 80, scale: float = 1.0) -> bytes:
    """Return the image in the same format with the marks drawn on it. `scale`: image pixels per CSS pixel."""
    picture = Image.open(io.BytesIO(image)).convert("RGB")
    canvas = ImageDraw.Draw(picture)
    font = _font(round(_FONT_PIXELS * scale))
    boxes = [_scaled(mark.box, scale, picture.size) for mark in marks]
    for mark, box in zip(marks, boxes, strict=True):
        canvas.rectangle(box, outline=_colour(mark), width=max(1, round(1.5 * scale)))
    layout = _Layout(boxes, picture.size)
    for mark, box in zip(marks, boxes, strict=True):
        _draw_label(
            canvas,
            font,
            mark,
            layout.place(box, (font.getlength(str(mark.mark)) + 4 * scale, _FONT_PIXELS * scale + 1)),
        )
    return _encoded(picture, media_type, quality)


class _Layout:
    """Places labels near their element, away from other labels and, if possible, from other elements."""

    def __init__(self, boxes: Sequence[Rect], image: tuple[int, int]) -> None:
        self._image = image
        self._labels = _Grid()
        self._boxes = _Grid()
        for box in boxes:
            self._boxes.add(box)

    def place(self, box: Rect, size: tuple[float, float]) -> Rect:
        """Return the candidate that covers least; ties go to the preferred one."""
        best, least = box, float("inf")
        for candidate in _candidates(box, size):
            rect = _inside(candidate, self._image)
            cost = _LABEL_WEIGHT * self._labels.covered(rect) + self._boxes.covered(rect)
            if cost < least:
                best, least = rect, cost
            if cost == 0:
                break
        self._labels.add(best)
        return best


class _Grid:
    """Spatial index: rectangles by the grid cells they touch, so that only nearby ones are compared."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Rect]] = {}

    def add(self, rect: Rect) -> None:
        for cell in _cells(rect):
            self._cells.setdefault(cell, []).append(rect)

    def covered(self, rect: Rect) -> float:
        near = {other for cell in _cells(rect) for other in self._cells.get(cell, ())}
        return sum(_overlap(rect, other) for other in near)


def _candidates(box: Rect, size: tuple[float, float]) -> Iterator[Rect]:
    """Yield positions outside the corners first, which keep the element readable; then inside; then along its edges."""
    left, top, right, bottom = box
    width, height = size
    corners = [
        (left, top - height),
        (right - width, top - height),
        (left - width, top),
        (right, top),
        (left, bottom),
        (right - width, bottom),
        (left, top),
        (right - width, top),
        (left, bottom - height),
        (right - width, bottom - height),
        ((left + right - width) / 2, top - height),
        ((left + right - width) / 2, bottom),
        (left - width, (top + bottom - height) / 2),
        (right, (top + bottom - height) / 2),
    ]
    for x, y in corners:
        yield x, y, x + width, y + height


def _inside(rect: Rect, image: tuple[int, int]) -> Rect:
    left, top, right, bottom = rect
    x = max(0.0, min(left, image[0] - 1 - (right - left)))
    y = max(0.0, min(top, image[1] - 1 - (bottom - top)))
    return x, y, x + right - left, y + bottom - top


def _overlap(a: Rect, b: Rect) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _cells(rect: Rect) -> Iterator[tuple[int, int]]:
    for column in range(int(rect[0] // _CELL), int(rect[2] // _CELL) + 1):
        for row in range(int(rect[1] // _CELL), int(rect[3] // _CELL) + 1):
            yield column, row


def _scaled(box: Box, scale: float, image: tuple[int, int]) -> Rect:
    """Convert a box to image pixels, clamped to the image and never inverted."""
    left = min(max(box.x * scale, 0.0), image[0] - 1.0)
    top = min(max(box.y * scale, 0.0), image[1] - 1.0)
    right = min(max((box.x + box.width) * scale, left), image[0] - 1.0)
    bottom = min(max((box.y + box.height) * scale, top), image[1] - 1.0)
    return left, top, right, bottom


def _draw_label(canvas: ImageDraw.ImageDraw, font: Any, mark: Mark, rect: Rect) -> None:
    canvas.rectangle(rect, fill=_colour(mark))
    middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
    canvas.text(middle, str(mark.mark), fill="white", font=font, anchor="mm")


def _colour(mark: Mark) -> str:
    return _COLOURS[mark.mark % len(_COLOURS)]


@functools.lru_cache(maxsize=8)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _encoded(picture: Image.Image, media_type: str, quality: int) -> bytes:
    out = io.BytesIO()
    match _FORMATS[media_type]:
        case "PNG":
            picture.save(out, "PNG", compress_level=1)
        case "WEBP":
            picture.save(out, "WEBP", quality=quality, method=2)
        case other:
            picture.save(out, other, quality=quality)
    return out.getvalue()

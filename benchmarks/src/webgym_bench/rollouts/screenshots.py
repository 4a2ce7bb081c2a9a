"""Synthetic screenshots with the size and variety of real ones."""

from __future__ import annotations

import functools
import io

from PIL import Image, ImageDraw

from webgym.records.observation import Viewport
from webgym_bench.pages.catalogue import CATEGORIES, products
from webgym_bench.pages.pictures import VARIANTS, picture

VARIETY = 16
_QUALITY = 75
_COLUMNS, _ROWS = 4, 3
_CARD = (300, 240)


def screenshot(number: int) -> bytes:
    """Return a unique JPEG of a shop page: one of a few drawings, with the number appended.

    Decoders ignore what follows the end of a JPEG.
    """
    return _drawn(number % VARIETY) + number.to_bytes(8)


def draw_all() -> None:
    """Draw all variants up front, so that no step waits for one."""
    for variant in range(VARIETY):
        _drawn(variant)


@functools.cache
def _drawn(variant: int) -> bytes:
    viewport = Viewport()
    image = Image.new("RGB", (viewport.width, viewport.height), "#fbfaf8")
    draw = ImageDraw.Draw(image)
    shelf = products()
    for place in range(_COLUMNS * _ROWS):
        product = shelf[(variant * _COLUMNS * _ROWS + place) % len(shelf)]
        left, top = 40 + place % _COLUMNS * _CARD[0], 40 + place // _COLUMNS * _CARD[1]
        number = (variant + place) % VARIANTS
        photograph = Image.open(io.BytesIO(picture(CATEGORIES[(variant + place) % len(CATEGORIES)], number)))
        image.paste(photograph.resize((240, 180)), (left, top))
        draw.text((left, top + 186), product.name, fill="#222222", font_size=16)
        draw.text((left, top + 208), f"{product.material}, {product.reviews} reviews", fill="#666666", font_size=13)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()

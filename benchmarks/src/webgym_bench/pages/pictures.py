"""Synthetic product photographs, with the file size and noise of real ones."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from webgym_bench.pages.catalogue import CATEGORIES

SIZE = (480, 400)
VARIANTS = 5
QUALITY = 82

_PAINTS = ("#c9643b", "#2f6f73", "#d8a03a", "#5b4a72", "#3f6b3d")
_GROUNDS = ("#f1e6da", "#e2ebea", "#f4ecd8", "#e9e4ee", "#e4ecdf")
_WOOD = "#8a6242"
_DARK = "#2b302e"


@functools.cache
def picture(category: str, variant: int, *, large: bool = False) -> bytes:
    """Draw a JPEG at the size of a product page, or at half that width for a card."""
    paint = _PAINTS[variant % len(_PAINTS)]
    image = _ground(_GROUNDS[variant % len(_GROUNDS)])
    shadow = Image.new("L", SIZE, 0)
    ImageDraw.Draw(shadow).ellipse((110, 325, 370, 365), fill=110)
    image.paste("#3c3a36", mask=shadow.filter(ImageFilter.GaussianBlur(14)))
    _SHAPES[category](ImageDraw.Draw(image), paint)
    image = Image.blend(image.filter(ImageFilter.GaussianBlur(0.7)), _grain(), 0.07)
    if not large:
        image = image.reduce(2)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def draw_all() -> None:
    """Draw all pictures up front, so that no request waits for one."""
    for category in CATEGORIES:
        for variant in range(VARIANTS):
            picture(category, variant)
            picture(category, variant, large=True)


def _ground(colour: str) -> Image.Image:
    gradient = ImageOps.fit(Image.radial_gradient("L"), SIZE)
    light = Image.blend(Image.new("L", SIZE, 0), gradient, 0.45)
    image = Image.new("RGB", SIZE, colour)
    image.paste("#8f8a80", mask=light)
    return image


def _grain() -> Image.Image:
    return Image.effect_noise(SIZE, 90).convert("RGB")


def _lamp(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.rectangle((234, 170, 246, 330), fill=_DARK)
    draw.polygon(((190, 70), (290, 70), (335, 190), (145, 190)), fill=paint)
    draw.polygon(((205, 70), (225, 70), (200, 190), (165, 190)), fill="#ffffff30")
    draw.ellipse((185, 320, 295, 350), fill=_DARK)


def _mug(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.ellipse((285, 165, 380, 280), outline=paint, width=22)
    draw.rounded_rectangle((140, 120, 320, 345), 30, fill=paint)
    draw.ellipse((140, 100, 320, 145), fill="#f7f3ec")
    draw.ellipse((155, 108, 305, 138), fill="#5a3a25")


def _chair(draw: ImageDraw.ImageDraw, paint: str) -> None:
    for x in (150, 310):
        draw.line(((x, 230), (x - 12, 350)), fill=_WOOD, width=14)
        draw.line(((x + 12, 230), (x + 24, 345)), fill="#6d4c33", width=12)
    draw.rounded_rectangle((150, 60, 330, 210), 34, fill=paint)
    draw.rounded_rectangle((130, 200, 350, 250), 20, fill=paint, outline="#00000040", width=3)


def _bag(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.arc((180, 50, 300, 220), 180, 360, fill=_WOOD, width=14)
    draw.polygon(((130, 140), (350, 140), (375, 350), (105, 350)), fill=paint)
    draw.rounded_rectangle((175, 215, 305, 310), 14, outline="#f3ead8", width=4)


def _plant(draw: ImageDraw.ImageDraw, paint: str) -> None:
    for lean in range(-4, 5):
        tip = (240 + lean * 34, 60 + abs(lean) * 22)
        draw.line(((240, 250), tip), fill="#2f5d34", width=6)
        draw.ellipse((tip[0] - 22, tip[1] - 14, tip[0] + 22, tip[1] + 34), fill="#4b8a4a" if lean % 2 else "#3a7340")
    draw.polygon(((165, 230), (315, 230), (290, 350), (190, 350)), fill=paint)


def _clock(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.ellipse((110, 75, 370, 335), fill=paint)
    draw.ellipse((132, 97, 348, 313), fill="#faf7f0")
    draw.line(((240, 205), (240, 125)), fill=_DARK, width=8)
    draw.line(((240, 205), (300, 235)), fill=_DARK, width=8)
    draw.ellipse((230, 195, 250, 215), fill=paint)


def _book(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.rounded_rectangle((140, 70, 350, 350), 10, fill="#efe8d8")
    draw.rounded_rectangle((130, 60, 335, 345), 10, fill=paint)
    draw.rectangle((150, 60, 164, 345), fill="#00000038")
    draw.rectangle((190, 120, 305, 160), fill="#f6efdf")


def _speaker(draw: ImageDraw.ImageDraw, paint: str) -> None:
    draw.rounded_rectangle((150, 60, 330, 350), 24, fill=paint)
    for top, radius in ((100, 38), (235, 62)):
        draw.ellipse((240 - radius, top, 240 + radius, top + 2 * radius - 30), fill=_DARK)
        draw.ellipse((240 - radius // 2, top + radius // 3, 240 + radius // 2, top + radius), fill="#565c59")


_SHAPES: dict[str, Callable[[ImageDraw.ImageDraw, str], None]] = dict(
    zip(CATEGORIES, (_lamp, _mug, _chair, _bag, _plant, _clock, _book, _speaker), strict=True)
)

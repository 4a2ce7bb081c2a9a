"""Screenshots for reports: downscaled, re-encoded and embedded."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

WIDTH = 960
"""Maximum width in pixels."""
_MOST_PIXELS = 60_000_000
_MOST_HEIGHT = 4 * WIDTH
_FORMATS = ("JPEG", "PNG", "WEBP")


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture as a data URL."""

    url: str
    ratio: float
    """Width divided by height."""


BLANK = InlinePicture("", 1.6)


def inlined(data: bytes) -> InlinePicture:
    """Return the picture as a data URL; `BLANK` if the bytes are no valid one."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return BLANK
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError):
        return BLANK
    small.thumbnail((WIDTH, _MOST_HEIGHT), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=72)
    url = f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"
    return InlinePicture(url, small.width / small.height)

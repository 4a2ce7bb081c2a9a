"""Screenshots for reports: downscaled, re-encoded and embedded."""

from __future__ import annotations

import base64
import io

from PIL import Image, UnidentifiedImageError

WIDTH = 960
"""Maximum width in pixels."""
_MOST_PIXELS = 60_000_000
_MOST_HEIGHT = 4 * WIDTH
_FORMATS = ("JPEG", "PNG", "WEBP")


def data_url(data: bytes) -> str:
    """Return the picture as a data URL; empty if the bytes are no valid picture."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return ""
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    small.thumbnail((WIDTH, _MOST_HEIGHT), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=72)
    return f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"

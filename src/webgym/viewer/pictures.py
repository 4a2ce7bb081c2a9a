"""Serves stored images: checks their type, and scales thumbnails."""

from __future__ import annotations

import io

from PIL import Image, UnidentifiedImageError

from webgym.errors import StoreError

THUMBNAIL_WIDTHS = (200, 400)
_MOST_PIXELS = 60_000_000
_FORMATS = ("JPEG", "PNG", "WEBP")


def media_type(data: bytes) -> str:
    """Return the media type of image bytes, by their magic number.

    Raises:
        StoreError: The bytes are not an image of a stored type.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    raise StoreError("the stored bytes are no JPEG, PNG or WebP")


def thumbnail(data: bytes, width: int) -> bytes:
    """Scale an image to a JPEG of at most this width.

    Raises:
        StoreError: The image cannot be decoded.
    """
    media_type(data)
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise StoreError("the stored picture is too large to be decoded")
            picture.draft("RGB", (width, width * 4))
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise StoreError("the stored picture cannot be decoded") from error
    small.thumbnail((width, width * 4), Image.Resampling.BILINEAR, reducing_gap=2.0)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=78)
    return out.getvalue()

"""Sizes and pictures of synthetic attempts."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from webgym.rng import Rng

_SIZE = (48, 32)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many pages and facts attempts have, and what their pages look like."""

    pages: Callable[[Rng], int] = lambda rng: rng.between(2, 16)
    facts: Callable[[Rng], int] = lambda rng: rng.between(1, 8)
    picture: Callable[[int], bytes] | None = None
    """Draws the picture of a page by number; tiny pictures by default."""
    small: Callable[[bytes], bytes] | None = None
    """Shrinks a picture as a judge may before sending it, so that the scripted model recognises the copy."""


def tiny(number: int) -> bytes:
    """Return a small picture that is unique to this number."""
    seen = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=48).digest()
    out = io.BytesIO()
    Image.frombytes("RGB", (4, 4), seen).resize(_SIZE, Image.Resampling.NEAREST).save(out, "PNG", compress_level=1)
    return out.getvalue()

"""How large drawn attempts are, and what their pages look like."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from webgym.sites.rng import Rng

_SIZE = (48, 32)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large they are."""

    pages: Callable[[Rng], int] = lambda rng: rng.between(2, 16)
    facts: Callable[[Rng], int] = lambda rng: rng.between(1, 8)
    picture: Callable[[int], bytes] | None = None
    """Draws the picture of a page by its number; by default tiny ones."""
    small: Callable[[bytes], bytes] | None = None
    """Makes of a picture what a judge may send in its place, so that the model knows that too."""


def tiny(number: int) -> bytes:
    """A small picture unlike that of any other number."""
    seen = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=48).digest()
    out = io.BytesIO()
    Image.frombytes("RGB", (4, 4), seen).resize(_SIZE, Image.Resampling.NEAREST).save(out, "PNG", compress_level=1)
    return out.getvalue()

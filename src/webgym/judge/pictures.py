"""Screenshots for prompts: in full, or downscaled for the relevance pass."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
import anyio.to_thread

from webgym.errors import ConfigError, EvidenceGone
from webgym.judge.evidence import EvidencePage
from webgym.records.observation import address_of
from webgym.records.prompt import Picture

FindPicture = Callable[[str], bytes | None]
"""Return the bytes at an address, or None if they are not stored. May block: it is called from a worker thread."""
_THREADS = 4


@dataclass(frozen=True, slots=True)
class LoadedPicture:
    """A picture in a prompt, with its bytes."""

    picture: Picture
    data: bytes


class PictureLoader:
    """Loads and downscales screenshots in a few worker threads."""

    def __init__(self, find: FindPicture, side: int, quality: int) -> None:
        if importlib.util.find_spec("PIL") is None:
            raise ConfigError("the rubric judge reduces screenshots with Pillow: pip install pillow")
        self._find = find
        self._side = side
        self._quality = quality
        self._limiter: anyio.CapacityLimiter | None = None

    async def full(self, seen: EvidencePage) -> LoadedPicture:
        """Load a screenshot as it was stored.

        Raises:
            EvidenceGone: It is not stored.
        """
        data = await anyio.to_thread.run_sync(self._read, seen.shot.address, limiter=self._threads())
        return LoadedPicture(Picture(seen.shot.address, seen.width, seen.height), data)

    async def small(self, seen: EvidencePage, given: Mapping[str, bytes] | None = None) -> LoadedPicture:
        """Load a screenshot downscaled, or as it is if that is smaller; `given` holds bytes that are not stored yet.

        Raises:
            EvidenceGone: It is not stored, or is not an image.
        """
        return await anyio.to_thread.run_sync(self._reduced, seen, given or {}, limiter=self._threads())

    def _threads(self) -> anyio.CapacityLimiter:
        self._limiter = self._limiter or anyio.CapacityLimiter(_THREADS)
        return self._limiter

    def _read(self, address: str) -> bytes:
        data = self._find(address)
        if data is None:
            raise EvidenceGone(f"the screenshot {address} is no longer stored")
        return data

    def _reduced(self, seen: EvidencePage, given: Mapping[str, bytes]) -> LoadedPicture:
        data = given.get(seen.shot.address) or self._read(seen.shot.address)
        small, (width, height) = reduced(data, self._side, self._quality)
        if len(small) >= len(data):
            return LoadedPicture(Picture(seen.shot.address, seen.width, seen.height), data)
        return LoadedPicture(Picture(address_of(small), width, height), small)


def reduced(data: bytes, side: int, quality: int) -> tuple[bytes, tuple[int, int]]:
    """Return the image as a JPEG with a longer side of at most `side` pixels, and its size.

    Raises:
        EvidenceGone: The data is not an image.
    """
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - judges that ask no model do without it

    try:
        with Image.open(io.BytesIO(data)) as opened:
            opened.draft("RGB", (side, side))  # decodes JPEGs at roughly the target size, several times faster
            image = opened.convert("RGB")
            image.thumbnail((side, side), Image.Resampling.BOX, reducing_gap=2.0)
            out = io.BytesIO()
            image.save(out, "JPEG", quality=quality)
            return out.getvalue(), image.size
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise EvidenceGone(f"a screenshot of {len(data)} bytes cannot be read as an image: {error}") from error

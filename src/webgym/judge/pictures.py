"""Screenshots to show: in full, or reduced for a first look."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
import anyio.to_thread

from webgym.errors import ConfigError, EvidenceGone
from webgym.judge.evidence import Seen
from webgym.records.observation import address_of
from webgym.records.prompt import Picture

FindPicture = Callable[[str], bytes | None]
"""The bytes at an address; None if they are not there, or no more. May block: it is called from a thread."""
_THREADS = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture in a prompt, with its bytes."""

    picture: Picture
    data: bytes


class Pictures:
    """Finds screenshots and reduces them, in a few threads of its own."""

    def __init__(self, find: FindPicture, side: int, quality: int) -> None:
        if importlib.util.find_spec("PIL") is None:
            raise ConfigError("the rubric judge reduces screenshots with Pillow: pip install pillow")
        self._find = find
        self._side = side
        self._quality = quality
        self._limiter: anyio.CapacityLimiter | None = None

    async def full(self, seen: Seen) -> Shown:
        """As it was stored.

        Raises:
            EvidenceGone: It is not there.
        """
        data = await anyio.to_thread.run_sync(self._read, seen.shot.address, limiter=self._threads())
        return Shown(Picture(seen.shot.address, seen.width, seen.height), data)

    async def small(self, seen: Seen, given: Mapping[str, bytes] | None = None) -> Shown:
        """Reduced, unless that would not make it smaller; `given` are bytes that are not stored yet.

        Raises:
            EvidenceGone: It is not there, or it is no picture.
        """
        return await anyio.to_thread.run_sync(self._reduced, seen, given or {}, limiter=self._threads())

    def _threads(self) -> anyio.CapacityLimiter:
        self._limiter = self._limiter or anyio.CapacityLimiter(_THREADS)
        return self._limiter

    def _read(self, address: str) -> bytes:
        data = self._find(address)
        if data is None:
            raise EvidenceGone(f"the screenshot {address} is not stored any more")
        return data

    def _reduced(self, seen: Seen, given: Mapping[str, bytes]) -> Shown:
        data = given.get(seen.shot.address) or self._read(seen.shot.address)
        small, (width, height) = reduced(data, self._side, self._quality)
        if len(small) >= len(data):
            return Shown(Picture(seen.shot.address, seen.width, seen.height), data)
        return Shown(Picture(address_of(small), width, height), small)


def reduced(data: bytes, side: int, quality: int) -> tuple[bytes, tuple[int, int]]:
    """The picture as a JPEG with a longer side of at most so many pixels, and its size.

    Raises:
        EvidenceGone: It is no picture.
    """
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - judges that ask no model do without it

    try:
        with Image.open(io.BytesIO(data)) as opened:
            opened.draft("RGB", (side, side))  # JPEGs are decoded at about the size wanted, several times as fast
            image = opened.convert("RGB")
            image.thumbnail((side, side), Image.Resampling.BOX, reducing_gap=2.0)
            out = io.BytesIO()
            image.save(out, "JPEG", quality=quality)
            return out.getvalue(), image.size
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise EvidenceGone(f"a screenshot of {len(data)} bytes cannot be read as a picture: {error}") from error

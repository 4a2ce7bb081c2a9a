"""Images as the model sees them: encoded bytes to patches, cached by address."""

from __future__ import annotations

import io
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from PIL import Image, UnidentifiedImageError
from torch import Tensor

from webgym.errors import SampleError, SampleProblem
from webgym.train.positions import Grid
from webgym.train.shape import VisionShape

Bytes = Callable[[str], bytes]
"""Returns the encoded bytes of the image at an address."""
MOST_SIZES = 1 << 16
"""Image sizes to remember: more than a batch shows, fewer than a run of days sees."""


class PatchCache:
    """An LRU cache of image patches by address, of at most `most_bytes`.

    Encoded bytes are cached too, up to `encoded_bytes`: an image is read for its size, and again whenever its patches
    were evicted, but should be fetched only once.
    """

    def __init__(
        self,
        fetch: Bytes,
        processor: Any,
        shape: VisionShape,
        *,
        dtype: torch.dtype = torch.float32,
        most_bytes: int = 2 << 30,
        encoded_bytes: int = 512 << 20,
        threads: int = 4,
    ) -> None:
        self._fetch = fetch
        self._processor = processor
        self._shape = shape
        self._dtype = dtype
        self._most_bytes = most_bytes
        self._threads = threads
        self._lock = threading.Lock()
        self._grids: dict[str, Grid] = {}
        self._patches: OrderedDict[str, Tensor] = OrderedDict()
        self._bytes = 0
        self._encoded: OrderedDict[str, bytes] = OrderedDict()
        self._most_encoded = encoded_bytes
        self._encoded_held = 0

    def grid(self, address: str) -> Grid:
        """Return height and width in patches, from the file header alone.

        Raises:
            SampleError: It is not an image, or cannot be fetched.
        """
        with self._lock:
            known = self._grids.get(address)
        if known is None:
            width, height = self._open(address).size
            known = self._sized(height, width)
            with self._lock:
                self._grids[address] = known
                while len(self._grids) > MOST_SIZES:
                    del self._grids[next(iter(self._grids))]
        return known

    def patches(self, addresses: Iterable[str]) -> dict[str, Tensor]:
        """Return the patches of each image as a (patches, values) tensor, by address.

        Raises:
            SampleError: One is not an image, or cannot be fetched.
        """
        wanted = list(dict.fromkeys(addresses))
        found: dict[str, Tensor] = {}
        with self._lock:
            for address in wanted:
                if address in self._patches:
                    self._patches.move_to_end(address)
                    found[address] = self._patches[address]
        missing = [address for address in wanted if address not in found]
        if len(missing) > 1 and self._threads > 1:
            with ThreadPoolExecutor(min(self._threads, len(missing))) as pool:
                made = list(pool.map(self._make, missing))
        else:
            made = [self._make(address) for address in missing]
        found.update(zip(missing, made, strict=True))
        self._keep(dict(zip(missing, made, strict=True)))
        return found

    def forget(self) -> None:
        """Empty the caches."""
        with self._lock:
            self._patches.clear()
            self._grids.clear()
            self._encoded.clear()
            self._bytes = self._encoded_held = 0

    def _keep(self, made: dict[str, Tensor]) -> None:
        with self._lock:
            for address, patches in made.items():
                if address not in self._patches:
                    self._patches[address] = patches
                    self._bytes += patches.nbytes
            while self._bytes > self._most_bytes and self._patches:
                self._bytes -= self._patches.popitem(last=False)[1].nbytes

    def _make(self, address: str) -> Tensor:
        image = self._open(address)
        try:
            image = image.convert("RGB")
        except OSError as error:
            raise _no_picture(address, error) from None
        made = self._processor(images=[image], return_tensors="pt")
        shape = self._shape
        patches: Tensor = made["pixel_values"]
        frames = patches.view(-1, shape.channels, shape.frames, shape.patch, shape.patch)
        return frames[:, :, 0].flatten(1).to(self._dtype, copy=True)

    def _open(self, address: str) -> Image.Image:
        try:
            return Image.open(io.BytesIO(self._fetched(address)))
        except (UnidentifiedImageError, KeyError, FileNotFoundError) as error:
            raise _no_picture(address, error) from None

    def _fetched(self, address: str) -> bytes:
        with self._lock:
            known = self._encoded.get(address)
            if known is not None:
                self._encoded.move_to_end(address)
                return known
        data = self._fetch(address)
        with self._lock:
            if address not in self._encoded:
                self._encoded[address] = data
                self._encoded_held += len(data)
            while self._encoded_held > self._most_encoded:
                self._encoded_held -= len(self._encoded.popitem(last=False)[1])
        return data

    def _sized(self, height: int, width: int) -> Grid:
        size: Any = self._processor.size
        side = self._shape.patch * self._shape.merge
        tall, wide = whole_tokens(height, width, side, size["shortest_edge"], size["longest_edge"])
        return tall // self._shape.patch, wide // self._shape.patch


def whole_tokens(height: int, width: int, side: int, least: int, most: int) -> tuple[int, int]:
    """Return the size the processor resizes to: multiples of `side`, `least` to `most` pixels, similar aspect ratio."""
    tall, wide = round(height / side) * side, round(width / side) * side
    if tall * wide > most:
        shrink = math.sqrt(height * width / most)
        tall, wide = (max(side, math.floor(edge / shrink / side) * side) for edge in (height, width))
    elif tall * wide < least:
        grow = math.sqrt(least / (height * width))
        tall, wide = (math.ceil(edge * grow / side) * side for edge in (height, width))
    return tall, wide


def _no_picture(address: str, error: Exception) -> SampleError:
    return SampleError(f"the picture {address} cannot be read: {error}", problem=SampleProblem.PICTURES)

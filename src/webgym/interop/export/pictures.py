"""The pictures of an export, embedded or as files next to it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Literal

from webgym.errors import StoreError
from webgym.store.read import Run

FOLDER = "images"
Carrying = Literal["embed", "files"]
_KINDS = ((b"\xff\xd8\xff", "jpeg"), (b"\x89PNG", "png"), (b"GIF8", "gif"))


class Pictures:
    """Assigns a reference to each picture. In `files` mode each picture is written once."""

    def __init__(self, run: Run, out: Path, carrying: Carrying) -> None:
        self._run, self._out, self.carrying = run, out, carrying
        self._names: dict[str, str | None] = {}

    @property
    def count(self) -> int:
        """Number of distinct pictures so far."""
        return sum(name is not None for name in self._names.values())

    def reference(self, address: str) -> str | None:
        """Return a path relative to the export's folder or a data URL, or None if the run lacks the picture."""
        if self.carrying == "embed":
            data = self.bytes(address)
            return None if data is None else f"data:{media_type(data)};base64,{base64.b64encode(data).decode()}"
        if address not in self._names:
            data = self.bytes(address)
            if data is not None:
                self._names[address] = self._write(address, data)
        return self._names[address]

    def bytes(self, address: str) -> bytes | None:
        """Return a picture's bytes, or None if the run dropped it or never stored it."""
        try:
            data = self._run.blob(address)
        except StoreError:
            self._names[address] = None
            return None
        self._names.setdefault(address, name_of(address, data))
        return data

    def _write(self, address: str, data: bytes) -> str:
        name = name_of(address, data)
        folder = self._out / FOLDER
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
        return f"{FOLDER}/{name}"


def media_type(data: bytes) -> str:
    """Detect the media type from the leading bytes."""
    for start, kind in _KINDS:
        if data.startswith(start):
            return f"image/{kind}"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return "application/octet-stream"


def name_of(address: str, data: bytes) -> str:
    """Return a file name: the hash, with the usual extension."""
    kind = media_type(data).rpartition("/")[2]
    ending = {"jpeg": "jpg", "octet-stream": "bin"}.get(kind, kind)
    return f"{address.rpartition(':')[2]}.{ending}"

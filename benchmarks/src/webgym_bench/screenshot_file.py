"""Keeps the screenshots of a run out of memory until they are checked, after the timed part."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True)
class Slot:
    """Position of one screenshot in the file."""

    offset: int
    size: int


class ScreenshotFile:
    """An append-only temporary file."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by __exit__
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, data: bytes) -> Slot:
        """Append a screenshot. Costs a copy into the page cache."""
        slot = Slot(self._end, len(data))
        self._file.write(data)
        self._end += len(data)
        return slot

    def read(self, slot: Slot) -> bytes:
        """Return the screenshot at this position."""
        self._file.seek(slot.offset)
        data = self._file.read(slot.size)
        self._file.seek(self._end)
        return data

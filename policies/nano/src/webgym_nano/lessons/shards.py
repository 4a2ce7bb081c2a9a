"""Lessons in files, readable by a trainer while more are written.

A shard is `lessons-<pid>-<number>.msgpack`: a MessagePack list of `Lesson`. It is written atomically, by renaming. The
oldest shards of a folder are deleted when there are too many. Several processes may write to one folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from webgym.files import write_whole
from webgym.records.lesson import Lesson

PATTERN = "lessons-*.msgpack"
_encoder = msgspec.msgpack.Encoder()


class ShardWriter:
    """Buffers lessons and writes them in shards; the rest is written at the end of the block.

    Args:
        folder: Created if it does not exist.
        size: Lessons per shard.
        most: Maximum shards in the folder, including those of other processes.
    """

    def __init__(self, folder: Path, *, size: int = 128, most: int = 500) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._size = size
        self._most = most
        self._waiting: list[Lesson] = []
        self._number = 0
        self.written = 0
        """Number of lessons written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()

    def add(self, lesson: Lesson) -> None:
        """Add a lesson, writing a shard when the buffer is full."""
        self._waiting.append(lesson)
        if len(self._waiting) >= self._size:
            self.flush()

    def flush(self) -> None:
        """Write the buffered lessons, however few."""
        if not self._waiting:
            return
        path = self._folder / f"lessons-{os.getpid()}-{self._number:06d}.msgpack"
        write_whole(path, _encoder.encode(self._waiting))
        self.written += len(self._waiting)
        self._number += 1
        self._waiting = []
        self._make_room()

    def _make_room(self) -> None:
        shards = oldest_first(self._folder)
        for path in shards[: max(0, len(shards) - self._most)]:
            path.unlink(missing_ok=True)


def oldest_first(folder: Path) -> list[Path]:
    """Return the shards of a folder."""
    found: list[tuple[int, str, Path]] = []
    for path in folder.glob(PATTERN):
        try:
            found.append((path.stat().st_mtime_ns, path.name, path))
        except FileNotFoundError:  # deleted by another process
            continue
    return [path for _, _, path in sorted(found)]

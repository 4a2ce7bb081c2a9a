"""What became of every group, on disk: the one thing that says what was learned from.

A batch is decided when its file is here, before it is learned from. After a crash the same batch is made of the same
groups again, and groups that are in no file come back. So nothing is learned from twice, and nothing is lost.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.buffer.groups import Fate
from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.pipeline.train.folders import Folders
from webgym.records.base import Record

SETTLED_VERSION = 1


class Settled(Record, frozen=True, omit_defaults=False):
    """Of one iteration."""

    iteration: int
    version: int
    """Of the weights that learn from it."""
    groups: tuple[str, ...]
    """Learned from, in this order."""
    fates: dict[str, Fate]
    """Of these, and of those that were dropped since the iteration before."""
    version_of: int = SETTLED_VERSION


class SettledGroups:
    """All of a run."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def read(self) -> dict[int, Settled]:
        """By iteration.

        Raises:
            StoreError: One cannot be read, or a group is in two of them.
        """
        paths = sorted(self._folders.settled(0).parent.glob("*.json"))
        found = {one.iteration: one for one in map(_read, paths)}
        seen: dict[str, int] = {}
        for one in found.values():
            for name in one.fates:
                if seen.setdefault(name, one.iteration) != one.iteration:
                    raise StoreError(f"group {name} was settled in iteration {seen[name]} and in {one.iteration}")
        return found

    def write(self, settled: Settled) -> None:
        """Whole, or not at all; on disk when this returns. Blocks."""
        path = self._folders.settled(settled.iteration)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(settled), durable=True)


def _read(path: Path) -> Settled:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Settled)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from None
    if found.version_of > SETTLED_VERSION:
        raise StoreError(f"{path} is of version {found.version_of}; this WebGym reads up to {SETTLED_VERSION}")
    return found

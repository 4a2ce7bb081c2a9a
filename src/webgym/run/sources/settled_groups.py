"""The fate of every group, on disk: the record of what was learned from.

An iteration is settled when its file exists, before its update. After a crash the same batch is made from the same
groups, and groups that are in no file are offered again. So no group is learned from twice, and none is lost.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.buffer.groups import Fate
from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.base import Record
from webgym.run.folders import Folders

SETTLED_VERSION = 1


class IterationSettlement(Record, frozen=True, omit_defaults=False):
    """The groups settled in one iteration."""

    iteration: int
    version: int
    """Policy version that learns from them."""
    groups: tuple[str, ...]
    """Names of the groups learned from, in order."""
    fates: dict[str, Fate]
    """Fates of these groups, and of those dropped since the previous iteration."""
    version_of: int = SETTLED_VERSION
    """Version of the file format."""


class SettledGroups:
    """Reads and writes the settled groups of a run."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def read(self) -> dict[int, IterationSettlement]:
        """Return the settled groups by iteration.

        Raises:
            StoreError: A file cannot be read, or a group is in two of them.
        """
        paths = sorted(self._folders.settled(0).parent.glob("*.json"))
        found = {one.iteration: one for one in map(_read, paths)}
        seen: dict[str, int] = {}
        for one in found.values():
            for name in one.fates:
                if seen.setdefault(name, one.iteration) != one.iteration:
                    raise StoreError(f"group {name} was selected in iteration {seen[name]} and in {one.iteration}")
        return found

    def write(self, settled: IterationSettlement) -> None:
        """Write atomically and durably. Blocks."""
        path = self._folders.settled(settled.iteration)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(settled), durable=True)


def _read(path: Path) -> IterationSettlement:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=IterationSettlement)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from None
    if found.version_of > SETTLED_VERSION:
        raise StoreError(f"{path} has format version {found.version_of}; this WebGym reads up to {SETTLED_VERSION}")
    return found

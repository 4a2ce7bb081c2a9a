"""Content-addressed storage of a run's pictures, each stored once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from webgym.errors import BlobGone, StoreError
from webgym.records.observation import address_of
from webgym.store.packs import PackLocation, PackWriter, read_at

LARGEST_PACK = 256 * 2**20
SMALLEST_PACK = 2**16
_PACKS_PER_BUDGET = 16


class ImageStore:
    """Writes pictures and their index. Used only on the writer's thread, within its transactions."""

    def __init__(self, connection: sqlite3.Connection, folder: Path, budget: int) -> None:
        self.connection, self.folder, self.budget = connection, folder, budget
        self.pack_bytes = min(LARGEST_PACK, max(SMALLEST_PACK, budget // _PACKS_PER_BUDGET))
        packs = dict(connection.execute("SELECT pack, bytes FROM packs").fetchall())
        last = max(packs, default=1)
        self.writer = PackWriter(folder, last, packs.pop(last, 0))
        self.sealed: dict[int, int] = packs
        """Sizes in bytes of the packs that are no longer appended to."""

    @property
    def size(self) -> int:
        """Total size of all packs in bytes."""
        return sum(self.sealed.values()) + self.writer.size

    def keep(self, attempt: int, blobs: Mapping[str, bytes], addresses: Iterable[str]) -> None:
        """Store the new ones of these pictures, and mark them and those at `addresses` as used by the attempt."""
        images = [self._image(address, data) for address, data in blobs.items()]
        for address in set(addresses) - blobs.keys():
            found = self.connection.execute("SELECT image FROM images WHERE address = ?", (address,)).fetchone()
            if found is not None:
                images.append(found[0])
        rows = [(attempt, image) for image in images]
        self.connection.executemany("INSERT OR IGNORE INTO uses (attempt, image) VALUES (?, ?)", rows)

    def append(self, data: bytes) -> PackLocation:
        """Append the bytes to the current pack, or to a new one if that is full."""
        if self.writer.size >= self.pack_bytes:
            self.seal()
        return self.writer.append(data)

    def seal(self) -> None:
        """Close the current pack and start a new one."""
        self.flush()
        self.sealed[self.writer.pack] = self.writer.size
        self.writer.turn_to(self.writer.pack + 1)

    def flush(self, *, to_disk: bool = False) -> None:
        """Flush the packs. Must precede every commit, so that the index never refers to unwritten bytes."""
        self.writer.flush(to_disk=to_disk)
        if self.writer.size:
            row = (self.writer.pack, self.writer.size)
            self.connection.execute("INSERT OR REPLACE INTO packs (pack, bytes) VALUES (?, ?)", row)

    def close(self) -> None:
        self.writer.close()

    def _image(self, address: str, data: bytes) -> int:
        query = "SELECT image, pack FROM images WHERE address = ?"
        image, pack = self.connection.execute(query, (address,)).fetchone() or (None, None)
        if image is not None and pack is not None:
            return image
        row = (*self.append(data), address)
        if image is not None:
            change = "UPDATE images SET pack = ?, offset = ?, length = ?, gone = '' WHERE address = ?"
            self.connection.execute(change, row)
            return image
        insert = "INSERT INTO images (pack, offset, length, address) VALUES (?, ?, ?, ?)"
        return self.connection.execute(insert, row).lastrowid or 0


def read_image(connection: sqlite3.Connection, folder: Path, address: str) -> bytes:
    """Return the bytes at an address.

    Raises:
        BlobGone: The picture was stored, but is gone.
        StoreError: The picture was never stored, is damaged, or its pack is missing.
    """
    try:
        try:
            data = read_at(folder, _place(connection, address))
        except FileNotFoundError:  # compaction moved it after the index was read
            data = read_at(folder, _place(connection, address))
    except OSError as error:
        raise StoreError(f"{address} cannot be read: {error}") from error
    if address_of(data) != address:
        raise StoreError(f"{address} cannot be read: the index is damaged and names another picture")
    return data


def _place(connection: sqlite3.Connection, address: str) -> PackLocation:
    query = "SELECT pack, offset, length, gone FROM images WHERE address = ?"
    found = connection.execute(query, (address,)).fetchone()
    if found is None:
        raise StoreError(f"{address} was never stored in this run")
    pack, offset, length, gone = found
    if pack is None:
        budget = "dropped to keep the run's image budget"
        why = budget if gone == "budget" else "lost: its file was missing or damaged"
        raise BlobGone(f"{address} ({length} bytes) was {why}")
    return PackLocation(pack, offset, length)

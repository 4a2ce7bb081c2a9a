"""Keeps the pictures within their budget, and compacts packs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from webgym.errors import StoreError
from webgym.store.images import ImageStore
from webgym.store.packs import PackLocation, pack_path, read_at
from webgym.store.schema import transaction

_DROP_TO = 0.75
"""Fraction of the budget to drop to: hysteresis, so that drops are larger and rarer."""
_PACK_TO = 0.95
_UNUSED = "pack IS NOT NULL AND NOT EXISTS (SELECT 1 FROM uses WHERE uses.image = images.image)"


Needed = Callable[[str], bool]
"""Tells whether the pictures of a group, by name, are still needed. Called on the writer's thread."""


def _nothing(group: str) -> bool:
    del group
    return False


class Trimmer:
    """Drops pictures of the attempts that ended first, never text. Runs between the writer's transactions."""

    def __init__(self, image_store: ImageStore) -> None:
        self._image_store = image_store
        self._next_at = image_store.budget
        self.needed: Needed = _nothing

    def trim(self) -> None:
        """Get back within the budget, as far as dropping pictures of finished attempts allows."""
        if self._image_store.size <= self._next_at:
            return
        with transaction(self._image_store.connection):
            self._drop(int(self._image_store.budget * _DROP_TO))
        compact(self._image_store, int(self._image_store.budget * _PACK_TO))
        # Pictures that are still needed are never dropped: try again only once the store has grown.
        self._next_at = max(self._image_store.budget, int(self._image_store.size * 1.05))

    def _drop(self, target: int) -> None:
        connection = self._image_store.connection
        delete_unused(connection)
        live = connection.execute("SELECT coalesce(sum(length), 0) FROM images WHERE pack IS NOT NULL").fetchone()[0]
        over = connection.execute(
            'SELECT number, "group" FROM attempts WHERE outcome IS NOT NULL AND number IN (SELECT attempt FROM uses)'
            " ORDER BY ended, number"
        ).fetchall()
        for attempt, group in over:
            if live <= target:
                return
            if not self.needed(group):
                live -= _give_up(connection, attempt)


def _give_up(connection: sqlite3.Connection, attempt: int) -> int:
    """Drop the pictures that only this attempt uses, and return their bytes."""
    only_here = connection.execute(
        "SELECT image, length FROM uses JOIN images USING (image) WHERE uses.attempt = ?1 AND pack IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM uses AS other WHERE other.image = uses.image AND other.attempt <> ?1)",
        (attempt,),
    ).fetchall()
    change = "UPDATE images SET pack = NULL, gone = 'budget' WHERE image = ?"
    connection.executemany(change, [(image,) for image, _ in only_here])
    connection.execute("DELETE FROM uses WHERE attempt = ?", (attempt,))
    return sum(length for _, length in only_here)


def delete_unused(connection: sqlite3.Connection) -> int:
    """Delete pictures that nothing refers to (those of discarded tries), and return how many."""
    return connection.execute(f"DELETE FROM images WHERE {_UNUSED}").rowcount  # noqa: S608


def compact(image_store: ImageStore, target: int) -> None:
    """Rewrite the packs with the most garbage until the total size is at most `target` bytes.

    Crash-safe: copies the pictures, then updates the index, then deletes the old file.
    """
    live: dict[int, int] = dict(
        image_store.connection.execute(
            "SELECT pack, sum(length) FROM images WHERE pack IS NOT NULL GROUP BY pack"
        ).fetchall()
    )
    holes = {pack: size - live.get(pack, 0) for pack, size in image_store.sealed.items()}
    for pack in sorted(holes, key=lambda one: -holes[one] / max(image_store.sealed[one], 1)):
        if live.get(pack, 0) and (image_store.size <= target or _is_dense(image_store, pack)):
            continue
        with transaction(image_store.connection):
            _empty(image_store, pack)
        del image_store.sealed[pack]
        pack_path(image_store.folder, pack).unlink(missing_ok=True)


def _is_dense(image_store: ImageStore, pack: int) -> bool:
    places = image_store.connection.execute(
        "SELECT pack, offset, length FROM images WHERE pack = ?", (pack,)
    ).fetchall()
    return sum(PackLocation(*place).end - PackLocation(*place).offset for place in places) == image_store.sealed[pack]


def _empty(image_store: ImageStore, pack: int) -> None:
    query = "SELECT image, pack, offset, length FROM images WHERE pack = ? ORDER BY offset"
    for image, *place in image_store.connection.execute(query, (pack,)).fetchall():
        try:
            data = read_at(image_store.folder, PackLocation(*place))
        except (StoreError, FileNotFoundError):
            image_store.connection.execute("UPDATE images SET pack = NULL, gone = 'damaged' WHERE image = ?", (image,))
            continue
        moved = image_store.append(data)
        change = "UPDATE images SET pack = ?, offset = ? WHERE image = ?"
        image_store.connection.execute(change, (moved.pack, moved.offset, image))
    image_store.connection.execute("DELETE FROM packs WHERE pack = ?", (pack,))
    image_store.flush(to_disk=True)
